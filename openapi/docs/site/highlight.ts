import { createRequire } from 'node:module'
import { html } from 'ghtml'
import { DEMO_KEYS } from '../console-model.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** As far as we use it: its own types bring those of a browser into every file of the project. */
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

/** What a block is called, by the word behind its fence. */
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

/** The address that the contract is written with; a gateway puts its own there. */
export const WRITTEN_ADDRESS = 'http://127.0.0.1:8080'
/** What a reader may have values of their own for, by the name under which the browser keeps them. */
const YOURS: ReadonlyMap<string, string> = new Map([['base-url', WRITTEN_ADDRESS], ...Object.entries(DEMO_KEYS)])

/** A block of code with a line above it that says what it is, and where the browser puts the copy button. */
export function codeBlock(source: string, fence: string, label?: string): string {
  const [language, usual] = NAMES[fence] ?? [undefined, 'Text']
  const text = source.trimEnd()
  const coloured =
    language === undefined ? html`${text}` : highlighter.highlight(text, { language, ignoreIllegals: true }).value
  // Our own commands have words like `set` and `log`: to a shell they are none of its own.
  const code =
    language === 'bash'
      ? coloured.replaceAll(/<span class="hljs-(?:built_in|keyword)">([^<]*)<\/span>/g, '$1')
      : coloured
  const name = label ?? usual
  return html`<div class="code"><div class="code-head"><span>${name}</span></div><pre tabindex="0" role="group" aria-label="${name}"><code>!${inLines(breakableCode(withYours(code)))}</code></pre></div>`
}

/** How deep a line may stand for the style to know it; deeper ones wrap as these do. */
const DEPTH_MAX = 8

/**
 * Each line in an element of its own, which says how deep it stands: where there is no room its rest goes on below it, a
 * little further in. What reaches over several lines, such as a text, begins again on each.
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

/** Markup, what the reader's own value stands for, and what HTML writes for a sign: none of it may be torn apart. */
const UNTOUCHED = /(<span data-yours[^>]*>[^<]*<\/span>|<[^>]*>|&[a-z]+;|&#\w+;)/

/** As HTML writes it where nothing is highlighted. */
const EQUALS_SIGN = /^&#61;$/

/** A line of a key in base64, in which a slash is a letter like any other. */
const BASE64_LINE = /^[\w+/]{60,}$/

/**
 * Where there is no room lines may end behind signs, not within an option such as `--currency`, and not within a key.
 */
const breakableCode = (code: string): string =>
  code
    .split(UNTOUCHED)
    .map((part, index) =>
      index % 2 === 1
        ? part.replace(EQUALS_SIGN, '$&<wbr>')
        : part
            .split('\n')
            .map((line) => (BASE64_LINE.test(line) ? line : breakableLine(line)))
            .join('\n'),
    )
    .join('')

const breakableLine = (line: string): string =>
  line
    .replaceAll(/[.(,/](?=[a-z_{$'"]|$)|[=?](?=[a-z_{$'"])/gi, '$&<wbr>')
    .replaceAll(/(?<=^|\s)--?[a-z][\w-]*/g, '<span class="option">$&</span>')

/** Each place where a reader's own value belongs, marked so that the browser can put it there. */
function withYours(code: string): string {
  let marked = code
  for (const [name, value] of YOURS)
    marked = marked.replaceAll(new RegExp(`${value}(?![\\w-])`, 'g'), `<span data-yours="${name}">${value}</span>`)
  return marked
}
