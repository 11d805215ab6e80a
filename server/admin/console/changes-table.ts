import { html } from 'ghtml'
import { table } from './look/table.ts'

interface ChangedValue {
  readonly name: string
  readonly old?: string
  readonly new?: string
}

const NONE = '–'

/** Values before and after a change. */
export const changesTable = (
  titles: { readonly caption: string; readonly name: string; readonly before: string; readonly after: string },
  changes: readonly ChangedValue[],
): string =>
  table({
    caption: titles.caption,
    columns: [
      { title: titles.name, cell: ({ name }) => html`${name}` },
      { title: titles.before, cell: ({ old = NONE }) => html`${old}` },
      { title: titles.after, cell: (change) => html`${change.new ?? NONE}` },
    ],
    rows: changes,
  })
