"""The files for machines that stand on the site: tables, JSON documents, the feed of publications, a manifest."""
