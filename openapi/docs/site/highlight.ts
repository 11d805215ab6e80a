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
  const code =
    language === undefined ? html`${text}` : highlighter.highlight(text, { language, ignoreIllegals: true }).value
  const name = label ?? usual
  return html`<div class="code"><div class="code-head"><span>${name}</span></div><pre tabindex="0" role="group" aria-label="${name}"><code>!${withYours(code)}</code></pre></div>`
}

/** Each place where a reader's own value belongs, marked so that the browser can put it there. */
function withYours(code: string): string {
  let marked = code
  for (const [name, value] of YOURS)
    marked = marked.replaceAll(new RegExp(`${value}(?![\\w-])`, 'g'), `<span data-yours="${name}">${value}</span>`)
  return marked
}
