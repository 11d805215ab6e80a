import type { ObservedExchange } from '../observed-exchange.ts'

/** A payment page, or a form of it. */
export const PAGE_PATH = /\/pay\/collection\/(MLP[0-9A-Z]{22})(?=[/?]|$)/

export interface ShownPage {
  /** The internal reference of its collection. */
  readonly reference: string
  readonly html: string
}

/** The payment page in a reply; undefined when it is none. */
export function pageIn({ direction, path, exchange: { reply } }: ObservedExchange): ShownPage | undefined {
  const [, reference] = PAGE_PATH.exec(path) ?? []
  if (direction === 'received' || reference === undefined || reply.body.length === 0) return undefined
  const isHtml = reply.headers['content-type']?.[0]?.startsWith('text/html') === true
  return isHtml ? { reference, html: reply.body.toString('utf8') } : undefined
}
