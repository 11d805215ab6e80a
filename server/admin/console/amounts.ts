import { moneyFromWire, type Money } from '../../domain/money.ts'
import { money } from './look/values.ts'
import type { Viewer } from './look/viewer.ts'

/** An amount of the API, in major units and maybe below zero. */
export function majorMoney(amount: number, currency: string): Money {
  const { amountMinor } = moneyFromWire(Math.abs(amount), currency)
  return { amountMinor: amount < 0 ? -amountMinor : amountMinor, currency }
}

/** The same as markup. */
export const amountOf = (viewer: Viewer, amount: number, currency: string): string =>
  money(viewer, majorMoney(amount, currency))

/** The values of an address as a call has them: empty ones are absent. */
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
