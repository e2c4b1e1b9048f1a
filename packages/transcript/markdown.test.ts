import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";

const REL = 'rel="noopener noreferrer nofollow" target="_blank"';
const cases: Record<string, [markdown: string, html: string]> = {
  "headings stand below the page's own": ["# a", '<h3 dir="auto">a</h3>'],
  "markup is text": ["a <b>c</b>", '<p dir="auto">a &lt;b&gt;c&lt;/b&gt;</p>'],
  "a block of markup is text": ["<div>\nx\n</div>", "&lt;div&gt;\nx\n&lt;/div&gt;"],
  "code is kept to the letter": [
    "```ts\nif (a < b) {}\n```",
    '<div class="code"><span class="language">ts</span><pre dir="ltr"><code>if (a &lt; b) {}</code></pre></div>',
  ],
  "a link to the web": [
    "[x](https://e.org/?a&b)",
    `<p dir="auto"><a href="https://e.org/?a&amp;b" ${REL}>x</a></p>`,
  ],
  "a bare address": ["https://e.org", `<p dir="auto"><a href="https://e.org" ${REL}>https://e.org</a></p>`],
  "any other link is its words and where it would have led": [
    "[x](javascript:alert)",
    '<p dir="auto">x <span class="target">(javascript:alert)</span></p>',
  ],
  "a link whose words are another address shows both": [
    "[bank.example](https://evil.example)",
    `<p dir="auto"><a href="https://evil.example" ${REL}>bank.example</a> <span class="target">(https://evil.example)</span></p>`,
  ],
  "a link to a file of the project is no link": ["[src/a.ts](src/a.ts)", '<p dir="auto">src/a.ts</p>'],
  "a picture is a link, never loaded": [
    "![x](https://e.org/a.png)",
    `<p dir="auto"><a href="https://e.org/a.png" ${REL}>image: x</a></p>`,
  ],
  "a list of tasks": [
    "- [x] a\n- [ ] b",
    '<ul><li class="task" dir="auto">☑ a</li><li class="task" dir="auto">☐ b</li></ul>',
  ],
  "a list from three": ["3. a\n4. b", '<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>'],
  "direction marks are seen": ["a\u202eb", '<p dir="auto">a<span class="unseen">U+202E</span>b</p>'],
};

describe("an answer's Markdown", () => {
  for (const [title, [markdown, html]] of Object.entries(cases))
    test(title, () => expect(renderMarkdown(markdown)).toBe(html));
});
