import { html } from 'ghtml'
import { emptyState } from './values.ts'
import type { Viewer } from './viewer.ts'

export interface Column<Row> {
  readonly title: string
  /** Markup. */
  readonly cell: (row: Row) => string
  readonly isNumeric?: boolean | undefined
  /**
   * On phones, where a row is a card: without its title beside the first cell, or on the left of a line whose right the
   * next column has; or not at all. Other columns have a line each, with their title; the first cell only if `titled`.
   */
  readonly onPhone?: 'beside' | 'left' | 'right' | 'hidden' | 'titled' | undefined
}

interface Table<Row> {
  /** What the rows are, for who does not see the heading above them. */
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Where the first cell leads; on phones the whole card does. */
  readonly href?: ((row: Row) => string) | undefined
  /** Markup of a last line with sums, one cell a column. */
  readonly totals?: readonly string[] | undefined
}

const classOf = ({ isNumeric, onPhone }: Column<never>): string =>
  [isNumeric && 'numeric', onPhone].filter(Boolean).join(' ')

// Roles are stated, because browsers take a table that is laid out as cards for no table.

/** A table, and on phones a list of cards, without script. */
export function table<Row>({ caption, columns, rows, href, totals }: Table<Row>): string {
  const [first, ...others] = columns
  if (!first) throw new RangeError('a table without columns')
  const lineOf = (
    row: Row,
  ): string => html`<tr role="row"><th scope="row" role="rowheader" class="!${classOf(first)}" data-label="${first.title}">!${
    href ? html`<a href="${href(row)}">!${first.cell(row)}</a>` : first.cell(row)
  }</th>!${others
    .map(
      (column) =>
        html`<td role="cell" class="!${classOf(column)}" data-label="${column.title}">!${column.cell(row)}</td>`,
    )
    .join('')}</tr>
`
  return html`<table role="table" class="table !${href ? 'linked' : ''}"><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">!${columns
    .map((column) => html`<th scope="col" role="columnheader" class="!${classOf(column)}">${column.title}</th>`)
    .join('')}</tr></thead>
<tbody role="rowgroup">!${rows.map(lineOf).join('')}</tbody>!${totals ? totalsOf(columns, totals) : ''}</table>`
}

const totalsOf = (columns: readonly Column<never>[], totals: readonly string[]): string =>
  html`<tfoot role="rowgroup"><tr role="row">!${columns
    .map(
      (column, at) =>
        html`<td role="cell" class="!${classOf(column)}" data-label="${at === 0 ? '' : column.title}">!${totals[at] ?? ''}</td>`,
    )
    .join('')}</tr></tfoot>`

interface Pager {
  /** How many rows this page has. */
  readonly count: number
  /** Absent on the first page. */
  readonly first?: string | undefined
  /** Absent on the last one. */
  readonly next?: string | undefined
  /** Which rows come first. */
  readonly order?: 'newestFirst' | 'oldestFirst' | 'longestFirst' | undefined
}

/** Below a table by keyset: on to further rows, and back to the first. */
export function pager({ say }: Viewer, { count, first, next, order = 'newestFirst' }: Pager): string {
  const isNewest = order === 'newestFirst'
  const rows = `${say.counted('rows', count)}, ${say(order)}`
  return html`<nav class="pager" aria-label="${say('pages')}"><span>${rows}</span>!${
    first === undefined ? '' : html`<a class="button" href="${first}">${say(isNewest ? 'newest' : 'toStart')}</a>`
  }!${next === undefined ? '' : html`<a class="button" rel="next" href="${next}">${say(isNewest ? 'older' : 'nextRows')}</a>`}</nav>`
}

/** The same address with the cursor of the next page. */
export function nextPage(path: string, query: URLSearchParams, next: string | undefined): string | undefined {
  if (next === undefined) return undefined
  const values = new URLSearchParams(query)
  values.set('after', next)
  return `${path}?${values.toString()}`
}

interface PagedTable<Row> extends Table<Row> {
  readonly path: string
  /** What the list was asked for. */
  readonly query: URLSearchParams
  readonly next: string | undefined
  /** The path of the first page; absent: the path without a query. */
  readonly first?: string
  /** In place of the table where no row is there. */
  readonly empty: Parameters<typeof emptyState>[0]
}

/** A table by keyset with its pager, the newest first. */
export function pagedTable<Row>(viewer: Viewer, { path, query, next, first = path, empty, ...parts }: PagedTable<Row>) {
  if (parts.rows.length === 0) return emptyState(empty)
  const place = { first: query.has('after') ? first : undefined, next: nextPage(path, query, next) }
  return `${table(parts)}${pager(viewer, { count: parts.rows.length, ...place })}`
}
