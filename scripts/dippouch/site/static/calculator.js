// A calculator for the worked example. It reads the rules from the page's table, which comes from the database.
(() => {
  const form = document.querySelector("form.calculator");
  if (!form) return;
  const rules = JSON.parse(form.dataset.rules);
  const output = form.querySelector("output");
  const { players: playersWord } = form.dataset;
  const number = (name) => Number(form.elements[name].value);

  function show() {
    const [rating, players, placement] = [number("rating"), number("players"), number("placement")];
    if (!(players >= 1 && placement >= 1 && placement <= players && rating >= 0 && rating <= 100)) {
      output.textContent = `Placements go from 1 to the number of ${playersWord}, ratings from 0 to 100.`;
      return;
    }
    const divisor = form.elements.rounds.value === "1" ? rules.one_round_divisor : rules.several_rounds_divisor;
    const value = form.elements.championship.checked
      ? rules.world_championship_value
      : Math.min(players / divisor + rules.base_value, rules.maximum_value);
    const score = ((players + 0.5 - placement) / players) * 100;
    const change = (value / 100) * (score - rating);
    output.innerHTML =
      `Percentile score ${score.toFixed(2)}, value ${value.toFixed(2)}: the rating changes by ` +
      `<b>${change >= 0 ? "+" : "−"}${Math.abs(change).toFixed(2)}</b> to <b>${(rating + change).toFixed(2)}</b>.`;
  }
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
