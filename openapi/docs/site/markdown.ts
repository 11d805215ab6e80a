import { html } from 'ghtml'
import MarkdownIt from 'markdown-it'
import { toFileLinks } from '../markdown-links.ts'
import { figureFor } from './diagrams/figure.ts'
import { codeBlock } from './highlight.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** A heading that can be led to. */
export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** Where a page is served, by the name of its file. */
export const addressOf = (slug: string): string => (slug === 'overview' ? '/docs' : `/docs/${slug}`)

/** What a cell says in a few lines, also where two columns share a phone. */
const CELL_MAX = 80

/** Letters of the longest word of one column and of the other, beyond which they do not fit beside each other there. */
const WORDS_MAX = 28
/** What stands before each row of a table on one line, where there is room. */
const NAME_MAX = 30

/** What a line break tears apart only where there is no room for it. */
const WORD_MAX = 20

/** Code that is too long for a line of a phone may be broken at blanks, or else behind its signs: not anywhere. */
export const breakable = (code: string): string => {
  const wholeMax = /\s/.test(code) ? WORD_MAX : 0
  return code
    .split(/(?<=\s)/)
    .map((word) => (word.length > wholeMax && !word.startsWith('--') ? brokenBehindSigns(word) : whole(word)))
    .join('')
}

const brokenBehindSigns = (word: string): string =>
  word
    .split(/(?<=[\w)\]}>][._/?&=:,])(?=[\w{<])/)
    .map((part) => html`${part}`)
    .join('<wbr>')

/** A browser would leave one hyphen of an option's two on the line before. */
const whole = (word: string): string =>
  word.startsWith('--')
    ? html`<span class="option">${word.trimEnd()}</span>!${/\s$/.test(word) ? ' ' : ''}`
    : html`${word}`

/** Text in which no line ends behind a single letter and its hyphen: `M-PESA`, `A-Z`. */
export const unbroken = (text: string): string =>
  html`${text}`.replaceAll(/\b\w-\w+/g, '<span class="option">$&</span>')

/** Signs that a text may be made of: without a mark its full stop would look like one of them. */
const CHARACTERS = /(A-Z a-z 0-9(?: [^\sA-Za-z0-9])+)/

/** As `unbroken`, of a rule that a value keeps to. */
export const withCharacters = (text: string): string =>
  text
    .split(CHARACTERS)
    .map((part, index) => (index % 2 === 1 ? html`<code class="word">${part}</code>` : unbroken(part)))
    .join('')

/** `Headers and body` → `headers-and-body`. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

// No markup of HTML: the texts are Markdown only.
const markdown = new MarkdownIt({ html: false, linkify: false })
const { rules } = markdown.renderer
/** What a heading or a cell says. */
const textIn = (inline: { readonly children?: readonly { readonly content: string }[] | null } | undefined): string =>
  (inline?.children ?? []).map(({ content }) => content).join('')
markdown.core.ruler.push('links_between_pages', ({ tokens }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const [, slug, place = ''] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(String(token.attrGet('href') ?? '')) ?? []
    if (slug !== undefined) token.attrSet('href', addressOf(slug) + place)
  }
})
markdown.core.ruler.push('labels_of_cells', ({ tokens }) => {
  let [table, labels, widths, place] = [tokens[0], [] as string[], [] as number[], 0]
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') [table, labels, widths] = [token, [], []]
    if (token.type === 'tr_open') place = 0
    if (token.type === 'th_open') {
      const label = textIn(tokens[index + 1])
      labels.push(label)
      // A heading that says nothing is none.
      const close = tokens[index + 2]
      if (label === '' && close) token.tag = close.tag = 'td'
      table?.attrSet('data-columns', String(labels.length))
      if (labels[0] === '#') table?.attrSet('data-numbered', 'yes')
    }
    if (token.type === 'td_open') {
      const text = textIn(tokens[index + 1])
      widths[place] = Math.max(widths[place] ?? 0, ...text.split(/\s/).map(({ length }) => length))
      const isWide = widths.reduce((sum, width) => sum + width, 0) > WORDS_MAX
      if (text.length > CELL_MAX || isWide) table?.attrSet('data-long', 'yes')
      if (place === 0) table?.attrSet('data-first', firstOf(table.attrGet('data-first'), text.length))
      token.attrSet('data-label', labels[place++] ?? '')
    }
  }
})
/** @param before what the rows above are */
function firstOf(before: unknown, length: number): string {
  return length > NAME_MAX || before === 'long' ? 'long' : 'short'
}
rules.text = (tokens, index) => unbroken(tokens[index]?.content ?? '')
/** `. _ ~ -` */
const SIGNS = /^[^\sA-Za-z0-9](?: [^\sA-Za-z0-9])+$/
rules.code_inline = (tokens, index) => {
  const { content = '' } = tokens[index] ?? {}
  const isWord = content.length <= WORD_MAX && (!/\s/.test(content) || SIGNS.test(content))
  return isWord ? html`<code class="word">${content}</code>` : `<code>${breakable(content)}</code>`
}
rules.fence = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {}
  return figureFor(info.trim(), content) ?? codeBlock(content, info.trim())
}
rules.table_open = (tokens, index) =>
  html`<div class="table" data-columns="${tokens[index]?.attrGet('data-columns') ?? ''}" !${marksOf(tokens[index])} data-first="${tokens[index]?.attrGet('data-first') ?? ''}" tabindex="0" role="group" aria-label="Table"><table>`
const marksOf = (token: { attrGet(name: string): unknown } | undefined): string =>
  ['data-long', 'data-numbered'].filter((name) => token?.attrGet(name) === 'yes').join(' ')
rules.table_close = () => '</table></div>'
rules.heading_open = (tokens, index) => {
  const token = tokens[index]
  return html`<!${token?.tag ?? 'h2'} id="${token?.attrGet('id') ?? ''}">`
}
rules.heading_close = (tokens, index) => {
  const token = tokens[index]
  const id = token?.attrGet('id') ?? ''
  return html` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></!${token?.tag ?? 'h2'}>`
}

/** Markdown of ours as HTML, and the headings in it. */
export function rendered(text: string, prefix = ''): { readonly body: string; readonly headings: readonly Heading[] } {
  const tokens = markdown.parse(toFileLinks(text), {})
  const headings: Heading[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const title = textIn(tokens[index + 1])
    const wanted = prefix + anchorOf(title)
    const known = headings.filter(({ id }) => id === wanted || id.startsWith(`${wanted}--`)).length
    const id = known === 0 ? wanted : `${wanted}--${known + 1}`
    token.attrSet('id', id)
    const close = tokens.slice(index).find(({ type, level }) => type === 'heading_close' && level === token.level)
    close?.attrSet('id', id)
    headings.push({ level: Number(token.tag.slice(1)), id, text: title })
  }
  return { body: markdown.renderer.render(tokens, markdown.options, {}), headings }
}

/** A sentence or two without a paragraph around them. */
export const renderedInline = (text: string): string => markdown.renderInline(toFileLinks(text.trim()))

/** Markdown as people read it, without its marks. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^#+ |^-+$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;!?)](?: |$))/g, '')
    .trim()
