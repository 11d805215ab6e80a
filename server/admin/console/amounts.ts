import { html } from 'ghtml'
import { moneyFromWire, type Money } from '../../domain/money.ts'
import { nextPage } from './look/table.ts'
import { button, money } from './look/values.ts'
import type { Viewer } from './look/viewer.ts'

/** An amount of the API, in major units and maybe below zero. */
export function majorMoney(amount: number, currency: string): Money {
  const { amountMinor } = moneyFromWire(Math.abs(amount), currency)
  return { amountMinor: amount < 0 ? -amountMinor : amountMinor, currency }
}

/** The same as markup. */
export const amountOf = (viewer: Viewer, amount: number, currency: string): string =>
  money(viewer, majorMoney(amount, currency))

/** The values of an address, or of a form, as a call has them: empty ones are absent. */
export const queryOf = <const Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): { readonly [Each in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  ) as { readonly [Each in Name]?: string }

interface PageLinks {
  readonly next: string | undefined
  /** What the links say. */
  readonly further: string
  readonly first?: string
}

/** Below a list that does not begin with the newest: to its next page, and back to its first. */
export function pageLinks(
  { say }: Viewer,
  path: string,
  query: URLSearchParams,
  { next, further, first = say('toFirst') }: PageLinks,
): string {
  const href = nextPage(path, query, next)
  const start = new URLSearchParams(query)
  start.delete('after')
  const links = [
    ...(query.get('after') ? [button({ href: `${path}?${start.toString()}`, text: first })] : []),
    ...(href === undefined ? [] : [button({ href, text: further })]),
  ]
  return links.length === 0 ? '' : html`<nav class="pager" aria-label="${say('pages')}">!${links.join('')}</nav>`
}
