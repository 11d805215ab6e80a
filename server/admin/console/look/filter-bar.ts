import { html } from 'ghtml'
import { fieldOf, type Field } from './form.ts'
import type { Viewer } from './viewer.ts'

interface FilterBar {
  /** The path of the list. */
  readonly action: string
  /** The query of the list as it is shown; `q` is the search. */
  readonly query: URLSearchParams
  /** A select needs no option for "any". */
  readonly fields: readonly Field[]
  /** Filters that are often needed, each a query without `?`. */
  readonly views?: readonly { readonly text: string; readonly query: string }[] | undefined
  /** What is wrong with a filter, by its name. */
  readonly errors?: Readonly<Record<string, string>> | undefined
}

const SEARCH = 'q'

/** Above a list: views, a form with the filters, and the active ones, each with a link that removes it. */
export function filterBar(viewer: Viewer, { action, query, fields, views = [], errors = {} }: FilterBar): string {
  const { say } = viewer
  const names = [SEARCH, ...fields.map(({ name }) => name)]
  const active = names.flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value] as [string, string]] : []
  })
  const linkTo = (filters: [string, string][]): string =>
    filters.length === 0 ? action : `${action}?${new URLSearchParams(filters).toString()}`
  const chip = ([name, value]: readonly [string, string]): string => {
    const filter = wordsOf(viewer, fields, name, value)
    const rest = active.filter(([other]) => other !== name)
    return html`<li><a href="${linkTo(rest)}" aria-label="${say('removeFilter', { filter })}">${filter}</a></li>`
  }
  const controls = fields.map((field) =>
    fieldOf(viewer, asFilter(viewer, field), query.get(field.name) ?? '', errors[field.name], false),
  )
  const searched = query.get(SEARCH)
  const isOpen = Object.keys(errors).length > 0
  const form = html`<details !${isOpen ? 'open' : ''}><summary>${say('filters')}</summary><form action="${action}">!${
    searched ? html`<input type="hidden" name="q" value="${searched}">` : ''
  }!${controls.join('')}<button class="primary">${say('applyFilters')}</button></form></details>`
  return html`<div class="filters">!${viewsOf(viewer, action, views, linkTo(active))}!${fields.length === 0 ? '' : form}!${active.length === 0 ? '' : html`<ul class="chips" aria-label="${say('activeFilters')}">!${active.map(chip).join('')}<li><a class="quiet" href="${action}">${say('clearFilters')}</a></li></ul>`}</div>`
}

const asFilter = ({ say }: Viewer, field: Field): Field => ({
  ...field,
  isOptional: true,
  ...(field.options && { options: [['', say('any')], ...field.options] }),
})

function viewsOf({ say }: Viewer, action: string, views: FilterBar['views'] = [], here: string): string {
  if (views.length === 0) return ''
  const link = ({ text, query }: { readonly text: string; readonly query: string }): string => {
    const href = query === '' ? action : `${action}?${query}`
    return html`<li><a href="${href}" !${href === here ? 'aria-current="true"' : ''}>${text}</a></li>`
  }
  return html`<nav aria-label="${say('savedViews')}"><ul class="views">!${views.map(link).join('')}</ul></nav>`
}

/** `Status: FAILED`. */
function wordsOf({ say }: Viewer, fields: readonly Field[], name: string, value: string): string {
  const field = fields.find((each) => each.name === name)
  const text = field?.options?.find(([code]) => code === value)?.[1] ?? value
  return `${field?.label ?? say('searchedFor')}: ${text}`
}
