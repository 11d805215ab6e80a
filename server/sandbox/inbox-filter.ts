import type { FastifyRequest } from 'fastify'
import { storable } from './inbox-message.ts'
import { parameter } from './inbox-request.ts'

/** What a message is, as far as a reader picks by it; the same words stand in the URL. */
export const INBOX_STATES = ['completed', 'failed', 'cancelled', 'handshakes', 'bad'] as const
export type InboxState = (typeof INBOX_STATES)[number]

/** Which messages a reader wants to see. */
export interface InboxFilter {
  /** The merchant's reference of a transaction, or Malipo's internal one. */
  readonly reference?: string
  readonly state?: InboxState
}

/** What the query of a request asks for; 'unknown_state': a word that is no state. */
export function readFilter(request: FastifyRequest): InboxFilter | 'unknown_state' {
  const reference = parameter(request, 'reference')
  const text = parameter(request, 'state')
  const state = INBOX_STATES.find((name) => name === text)
  if (text !== undefined && state === undefined) return 'unknown_state'
  return { ...(reference !== undefined && { reference: storable(reference) }), ...(state !== undefined && { state }) }
}

/** The query of a URL that asks for these messages, with `?` unless it asks for all. */
export function filterQuery({ reference, state }: InboxFilter): string {
  const query = new URLSearchParams({ ...(reference !== undefined && { reference }), ...(state && { state }) })
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The inbox with these messages only. */
export const filterUrl = (filter: InboxFilter): string => `/sandbox/inbox${filterQuery(filter)}`

/** Where a transaction's events are shown. */
export const transactionUrl = (reference: string): string =>
  `/sandbox/transactions/${encodeURIComponent(reference.toWellFormed())}`

/**
 * The fragment that leads to the newest message of a transaction, by either of its references: `#of-ORDER-2026-0001`.
 * Absent for what cannot be a reference.
 */
export const anchorOf = (reference: string): string | undefined =>
  /^[A-Za-z0-9._~-]{1,64}$/.test(reference) ? `of-${reference}` : undefined
