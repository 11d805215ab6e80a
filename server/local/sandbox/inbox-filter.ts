import type { FastifyRequest } from 'fastify'
import { storable } from '../../domain/received/message.ts'
import { parameter } from './inbox-http.ts'

/** States of a message that a reader can filter by; the URL uses the same words. */
export const INBOX_STATES = ['completed', 'failed', 'cancelled', 'handshakes', 'bad'] as const
export type InboxState = (typeof INBOX_STATES)[number]

/** Which messages to show. */
export interface InboxFilter {
  /** The merchant's reference of a transaction, or Malipo's internal one. */
  readonly reference?: string
  readonly state?: InboxState
}

/** Reads the filter from the query of a request; 'unknown_state' for an invalid state. */
export function readFilter(request: FastifyRequest): InboxFilter | 'unknown_state' {
  const reference = parameter(request, 'reference')
  const text = parameter(request, 'state')
  const state = INBOX_STATES.find((name) => name === text)
  if (text !== undefined && state === undefined) return 'unknown_state'
  return { ...(reference !== undefined && { reference: storable(reference) }), ...(state !== undefined && { state }) }
}

/** The query of a URL for this filter, with `?`; empty when the filter selects all. */
export function filterQuery({ reference, state }: InboxFilter): string {
  const query = new URLSearchParams({ ...(reference !== undefined && { reference }), ...(state && { state }) })
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The URL of the inbox with this filter. */
export const filterUrl = (filter: InboxFilter): string => `/sandbox/inbox${filterQuery(filter)}`

/** The page of a transaction's events. */
export const transactionUrl = (reference: string): string =>
  `/sandbox/transactions/${encodeURIComponent(reference.toWellFormed())}`

/**
 * The fragment that links to the newest message of a transaction, by either of its references: `#of-ORDER-2026-0001`.
 * Undefined for a text that cannot be a reference.
 */
export const anchorOf = (reference: string): string | undefined =>
  /^[A-Za-z0-9._~-]{1,64}$/.test(reference) ? `of-${reference}` : undefined
