import { createRequire } from 'node:module'
import { html } from 'ghtml'
import { DEMO_KEYS } from '../console-model.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** The subset that we use: its own types would add those of a browser to every file of the project. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): {
    readonly value: string
  }
}

const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter
const LANGUAGES = ['bash', 'csharp', 'go', 'java', 'json', 'php', 'python', 'typescript', 'yaml'] as const
for (const name of LANGUAGES) highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))

/** Display name of a block, by the language tag of its fence. */
const NAMES: Readonly<Record<string, readonly [language: (typeof LANGUAGES)[number], label: string]>> = {
  sh: ['bash', 'Shell'],
  ts: ['typescript', 'TypeScript'],
  python: ['python', 'Python'],
  php: ['php', 'PHP'],
  java: ['java', 'Java'],
  go: ['go', 'Go'],
  csharp: ['csharp', 'C#'],
  json: ['json', 'JSON'],
  yaml: ['yaml', 'YAML'],
}

/** The address used in the contract; a gateway replaces it with its own. */
export const WRITTEN_ADDRESS = 'http://127.0.0.1:8080'
/** Values that a reader may replace, by the name under which the browser stores them. */
const YOURS: ReadonlyMap<string, string> = new Map([['base-url', WRITTEN_ADDRESS], ...Object.entries(DEMO_KEYS)])

/** A code block with its name above it and room for the copy button. */
export function codeBlock(source: string, fence: string, label?: string): string {
  const [language, usual] = NAMES[fence] ?? [undefined, 'Text']
  const text = source.trimEnd()
  const coloured =
    language === undefined ? html`${text}` : highlighter.highlight(text, { language, ignoreIllegals: true }).value
  // Our commands have words such as `set` and `log`, which a shell highlighter would take for its own.
  const code =
    language === 'bash'
      ? coloured.replaceAll(/<span class="hljs-(?:built_in|keyword)">([^<]*)<\/span>/g, '$1')
      : coloured
  const name = label ?? usual
  return html`<div class="code"><div class="code-head"><span>${name}</span></div><pre tabindex="0" role="group" aria-label="${name}"><code>!${inLines(breakableCode(withYours(code)))}</code></pre></div>`
}

/** The deepest indentation that the style sheet has; deeper lines wrap as these do. */
const DEPTH_MAX = 8

/**
 * Wraps each line in an element with its indentation: on narrow screens the rest wraps below it, indented a little
 * further. A token over several lines, such as a string, starts again on each.
 */
function inLines(code: string): string {
  let open: string[] = []
  return code
    .split('\n')
    .map((line, index, { length }) => {
      const before = open.join('')
      for (const [tag] of line.matchAll(/<\/?span[^>]*>/g))
        open = tag === '</span>' ? open.slice(0, -1) : [...open, tag]
      const depth = Math.min(
        DEPTH_MAX,
        Math.ceil(
          (/^(?:<[^>]*>)*[ \t]*/
            .exec(line)?.[0]
            .replaceAll(/<[^>]*>/g, '')
            .replaceAll('\t', '  ').length ?? 0) / 2,
        ),
      )
      const end = index === length - 1 ? '' : '\n'
      return `<span class="line d${depth}">${before}${line}${'</span>'.repeat(open.length)}${end}</span>`
    })
    .join('')
}

/** Markup, a placeholder for the reader's value, and an HTML entity: none of these may be split. */
const UNTOUCHED = /(<span data-reader-value[^>]*>[^<]*<\/span>|<[^>]*>|&[a-z]+;|&#\w+;)/

/** Escaped for HTML, for code without highlighting. */
const EQUALS_SIGN = /^&#61;$/

/** A base64 line of a key, in which a slash is a letter like any other. */
const BASE64_LINE = /^[\w+/]{60,}$/

/**
 * On narrow screens lines may break after punctuation, not within an option such as `--currency`, and anywhere in a
 * key, which nobody reads.
 */
const breakableCode = (code: string): string =>
  code
    .split(UNTOUCHED)
    .map((part, index) =>
      index % 2 === 1
        ? part.replace(EQUALS_SIGN, '$&<wbr>')
        : part
            .split('\n')
            .map((line) => (BASE64_LINE.test(line) ? `<span class="key">${line}</span>` : breakableLine(line)))
            .join('\n'),
    )
    .join('')

const breakableLine = (line: string): string =>
  line
    .replaceAll(/[.(,/](?=[a-z_{$'"]|$)|[=?](?=[a-z_{$'"])/gi, '$&<wbr>')
    .replaceAll(/(?<=^|\s)--?[a-z][\w-]*/g, '<span class="option">$&</span>')

/** Marks each place where a reader's value belongs, so that the browser can insert it. */
function withYours(code: string): string {
  let marked = code
  for (const [name, value] of YOURS)
    marked = marked.replaceAll(
      new RegExp(`${value}(?![\\w-])`, 'g'),
      `<span data-reader-value="${name}">${value}</span>`,
    )
  return marked
}
