// How an exported conversation looks: one column to read, in the reader's scheme. style.test.ts proves that every text reads
// on its surface (WCAG AA).

export const PALETTES = {
  dark: {
    page: "#0d0e11",
    card: "#15171b",
    sunken: "#101216",
    hover: "#1b1e24",
    edge: "#282b33",
    text: "#e4e6ea",
    soft: "#a9aeb8",
    faint: "#8d929d",
    accent: "#7db0ff",
    you: "#8fb8ff",
    agent: "#d9b08c",
    bad: "#ff8f8f",
    good: "#6fdc98",
    "added-wash": "#12281d",
    "removed-wash": "#2f181b",
    "flag-wash": "#3a1a1d",
    "you-wash": "#141c2b",
  },
  light: {
    page: "#fdfdfc",
    card: "#ffffff",
    sunken: "#f5f5f3",
    hover: "#eeeeeb",
    edge: "#dedfdc",
    text: "#1c1d20",
    soft: "#52555d",
    faint: "#656872",
    accent: "#1757c2",
    you: "#1c54b2",
    agent: "#8a4b16",
    bad: "#b3201f",
    good: "#146c37",
    "added-wash": "#e3f5e8",
    "removed-wash": "#fde8e7",
    "flag-wash": "#fbe3e2",
    "you-wash": "#eef4fe",
  },
} as const;

function variables(palette: Readonly<Record<string, string>>): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name}:${color}`)
    .join(";");
}

export const STYLE = `
:root{color-scheme:dark light;${variables(PALETTES.dark)};--ui:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;--mono:ui-monospace,"SF Mono","Cascadia Code","JetBrains Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:light){:root{${variables(PALETTES.light)}}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.65 var(--ui);overflow-wrap:anywhere}
body>*{max-width:50rem;margin:0 auto;padding:0 1.5rem}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
h1,h2,h3,h4,h5,h6{line-height:1.3;text-wrap:balance}
pre,code,.path,.count,.lines{font-family:var(--mono);font-variant-ligatures:none}
pre{margin:0;white-space:pre-wrap;tab-size:4}
time,.model,.kind,footer{color:var(--faint)}

.top{padding-top:3.5rem;padding-bottom:1.75rem}
.kind{margin:0 0 .5rem;font-size:.8125rem;letter-spacing:.02em}
h1{margin:0 0 1.5rem;font-size:clamp(1.5rem,1.1rem + 1.8vw,2.125rem);font-weight:650;letter-spacing:-.018em}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:1rem 1.5rem;margin:0;padding:1.125rem 0;border-block:1px solid var(--edge);font-size:.875rem;line-height:1.45}
.facts:empty{display:none}
.facts dt{color:var(--faint);font-size:.75rem}
.facts dd{margin:.125rem 0 0}
.facts time{color:inherit}
.facts>:last-child:has(.path){grid-column:span 2}
.facts .path,.facts .count{font-size:.8125rem}

main{display:block;padding-bottom:2rem}
nav{margin-bottom:1.25rem}
section{margin:0 0 2rem;scroll-margin-top:1.5rem}
section>header{display:flex;align-items:baseline;gap:.625rem;margin-bottom:.5rem;font-size:.8125rem}
section h2{margin:0;font-size:.875rem;font-weight:650}
section time{margin-inline-start:auto;font-variant-numeric:tabular-nums}
.prompt{padding:.875rem 1.125rem 1rem;border-radius:12px;background:var(--you-wash)}
.prompt h2{color:var(--you)}
.prompt:target{outline:2px solid var(--accent);outline-offset:2px}
.work{padding:0 1.125rem}
.work h2{color:var(--agent)}
.model{font-family:var(--mono);font-size:.75rem}
.plain{white-space:pre-wrap}

.answer>:first-child{margin-top:0}
.answer>:last-child{margin-bottom:0}
.answer+.answer,.answer+.fold,.fold+.answer,.steps+.answer,.answer+.steps,.note+.answer,.answer+.note{margin-top:1rem}
.answer p,.answer ul,.answer ol,.answer blockquote,.answer .code,.answer .table{margin:.75rem 0}
.answer h3,.answer h4,.answer h5,.answer h6{margin:1.5rem 0 .5rem;font-size:1rem;font-weight:650}
.answer h3{font-size:1.25rem}
.answer h4{font-size:1.1rem}
.answer ul,.answer ol{padding-inline-start:1.5rem}
.answer li{margin:.25rem 0}
.answer li>ul,.answer li>ol{margin:.25rem 0}
.answer li.task{list-style:none;margin-inline-start:-1.25rem}
.answer blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid var(--edge);color:var(--soft)}
.answer hr{border:0;border-top:1px solid var(--edge);margin:1.5rem 0}
.answer :not(pre)>code{padding:.1em .35em;border-radius:5px;background:var(--sunken);box-shadow:inset 0 0 0 1px var(--edge);font-size:.875em}
.code{position:relative;border:1px solid var(--edge);border-radius:10px;background:var(--sunken)}
.code pre{padding:.875rem 1rem;font-size:.8125rem;line-height:1.6}
.code .language{display:block;padding:.375rem 1rem;border-bottom:1px solid var(--edge);color:var(--faint);font-size:.75rem}
.table{overflow-x:auto;border:1px solid var(--edge);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:.9375rem;overflow-wrap:normal}
th,td{padding:.5rem .875rem;text-align:start;vertical-align:top}
th{background:var(--sunken);font-weight:600}
tr+tr td,thead+tbody td{border-top:1px solid var(--edge)}
.center{text-align:center}
.right{text-align:end}
.target{color:var(--faint);font-size:.875em}
.unseen{padding:0 .2em;border-radius:3px;background:var(--flag-wash);color:var(--bad);font:.8em var(--mono)}

.fold{border:1px solid var(--edge);background:var(--card);font-size:.8125rem;line-height:1.5;border-radius:10px}
.fold+.fold{margin-top:-1px}
.fold:has(+.fold){border-bottom-left-radius:0;border-bottom-right-radius:0}
.fold+.fold{border-top-left-radius:0;border-top-right-radius:0}
summary{display:flex;align-items:baseline;gap:.625rem;padding:.5rem .875rem;cursor:pointer;list-style:none;border-radius:inherit}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;align-self:center;width:.375rem;height:.375rem;border:solid var(--faint);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);margin-inline-end:.125rem}
[open]>summary::before{transform:rotate(45deg)}
summary:hover{background:var(--hover)}
.row-name{flex:none;max-width:50%;font-weight:600}
.row-about{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--soft)}
.tool .row-about{font-family:var(--mono);font-size:.75rem}
.reasoning .row-name,.note-fold .row-name,.contents .row-name{color:var(--soft);font-weight:500}
.reasoning .row-about{font-style:italic}
.added-count{color:var(--good)}
.removed-count,.flag{color:var(--bad)}
.flag{flex:none;padding:0 .5rem;border-radius:99px;background:var(--flag-wash);font-size:.75rem}
.fold-body{padding:.75rem .875rem .875rem;border-top:1px solid var(--edge)}
.fold-body .answer{color:var(--soft);font-size:.875rem}
ol.fold-body{margin:0;padding-inline-start:2.5rem}
.labelled+.labelled,.edit+.labelled,.edit+.edit{margin-top:.75rem}
.label{display:block;margin-bottom:.25rem;color:var(--faint);font-size:.75rem}
.labelled pre{max-height:26rem;overflow:auto;padding:.625rem .75rem;border-radius:7px;background:var(--sunken);font-size:.75rem;line-height:1.55}
.edit{margin:0;border:1px solid var(--edge);border-radius:7px;overflow:hidden}
.edit figcaption{padding:.375rem .75rem;border-bottom:1px solid var(--edge);background:var(--sunken);font-size:.75rem}
.edit-kind{color:var(--faint)}
.lines{max-height:32rem;overflow:auto;padding:.375rem 0;font-size:.75rem;line-height:1.55;white-space:pre-wrap;tab-size:4}
.lines>div{padding-inline:2rem .75rem;text-indent:-1.25rem}
.sign{display:inline-block;width:1.25rem;text-indent:0;color:var(--faint);white-space:pre}
.added{background:var(--added-wash)}
.removed{background:var(--removed-wash)}
.added .sign{color:var(--good)}
.removed .sign{color:var(--bad)}
.gap{color:var(--faint)}
.steps,.note{margin:.5rem 0;color:var(--faint);font-size:.8125rem}
.note{padding-inline-start:.75rem;border-inline-start:2px solid var(--edge)}

footer{margin-top:1rem;padding-top:1.25rem;padding-bottom:3rem;font-size:.8125rem}
footer p{margin:0;padding-top:1.25rem;border-top:1px solid var(--edge)}
@media (max-width:40rem){body{font-size:15px}body>*{padding-inline:1rem}.top{padding-top:2rem}.prompt,.work{padding-inline:.875rem}.work{padding-inline:.25rem}}
@media print{:root{${variables(PALETTES.light)}}body>*{max-width:none}.labelled pre,.lines{max-height:none}details::details-content{content-visibility:visible;block-size:auto}section,.fold{break-inside:auto}}
`;
