import { html } from 'ghtml'
import MarkdownIt from 'markdown-it'
import { toFileLinks } from '../markdown-links.ts'
import { figureFor } from './diagrams/figure.ts'
import { codeBlock } from './highlight.ts'
import { tabs } from './tabs.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

/** A heading that links can lead to. */
export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** The address of a page, by file name. */
export const addressOf = (slug: string): string => (slug === 'overview' ? '/docs' : `/docs/${slug}`)

/** Text that a cell shows in a few lines, even with two columns on a phone. */
const CELL_MAX = 80

/** Letters of the longest word of one column and of the other, beyond which they do not fit side by side on a phone. */
const WORDS_MAX = 28
/** The longest text that a row heading keeps on one line, where there is room. */
const NAME_MAX = 30

/** Text that breaks only where there is no room for it. */
const WORD_MAX = 20

/** Code that is too long for a line on a phone may break at blanks, or else after punctuation, and nowhere else. */
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

/** A browser would break between the two hyphens of an option. */
const whole = (word: string): string =>
  word.startsWith('--')
    ? html`<span class="option">${word.trimEnd()}</span>!${/\s$/.test(word) ? ' ' : ''}`
    : html`${word}`

/** Text in which no line breaks after a single letter and its hyphen: `M-PESA`, `A-Z`. */
const unbroken = (text: string): string => html`${text}`.replaceAll(/\b\w-\w+/g, '<span class="option">$&</span>')

/** Characters that a value may consist of: without a mark the full stop would look like one of them. */
const CHARACTERS = /(A-Z a-z 0-9(?: [^\sA-Za-z0-9])+)/

/** As `unbroken`, for a rule about values. */
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

// No HTML: the texts are Markdown only.
const markdown = new MarkdownIt({ html: false, linkify: false })
const { rules } = markdown.renderer
/** The text of a heading or a cell. */
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
      // An empty heading is omitted.
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
/** @param before the rows above */
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
/** A block that says which alternative it is: `ts Request: TypeScript`. */
const ALTERNATIVE = /^(\w+) (.+): (.+)$/
markdown.core.ruler.push('alternatives_as_tabs', (state) => {
  let group: (typeof state.tokens)[number] | undefined
  state.tokens = state.tokens.flatMap((token) => {
    if (token.type !== 'fence' || !ALTERNATIVE.test(token.info)) {
      group = undefined
      return [token]
    }
    group?.children?.push(token)
    if (group) return []
    group = Object.assign(new state.Token('alternatives', '', 0), { children: [token] })
    return [group]
  })
})
rules.alternatives = (tokens, index) => {
  const blocks = (tokens[index]?.children ?? []).map(({ info, content }) => {
    const [, fence = '', title = '', label = ''] = ALTERNATIVE.exec(info) ?? []
    return { title, label, body: codeBlock(content, fence, label) }
  })
  return tabs(`samples-${index}`, blocks[0]?.title ?? '', blocks, true)
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

/** Converts our Markdown to HTML, and returns its headings. */
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

/** One or two sentences without a paragraph around them. */
export const renderedInline = (text: string): string => markdown.renderInline(toFileLinks(text.trim()))

/** Markdown as plain text. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^#+ |^-+$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;!?)](?: |$))/g, '')
    .trim()
