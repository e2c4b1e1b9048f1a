// Runs before the first paint, so that a reload never flashes the other scheme. theme/scheme.ts remembers the preference.
var kept = localStorage.getItem("kolu.scheme");
var dark = kept === "dark" || (kept !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.scheme = dark ? "dark" : "light";
