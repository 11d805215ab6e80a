import { html } from 'ghtml'
import { moneyFromWire, type Money } from '../../domain/money.ts'
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

/** The same address with the cursor of the next page. */
export function nextPage(path: string, query: URLSearchParams, next: string | undefined): string | undefined {
  if (next === undefined) return undefined
  const values = new URLSearchParams(query)
  values.set('after', next)
  return `${path}?${values.toString()}`
}

interface PageTexts {
  /** What the links are, for who does not see them. */
  readonly pages: string
  readonly first: string
  readonly next: string
}

/** Below a list that does not begin with the newest: to its next page, and back to its first. */
export function pageLinks(path: string, query: URLSearchParams, next: string | undefined, texts: PageTexts): string {
  const further = nextPage(path, query, next)
  const first = new URLSearchParams(query)
  first.delete('after')
  const links = [
    ...(query.get('after') ? [button({ href: `${path}?${first.toString()}`, text: texts.first })] : []),
    ...(further === undefined ? [] : [button({ href: further, text: texts.next })]),
  ]
  return links.length === 0 ? '' : html`<nav class="pager" aria-label="${texts.pages}">!${links.join('')}</nav>`
}
