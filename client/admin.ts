// The public surface of @malipo/client/admin: the admin API, for programs of staff and of a merchant's people. It needs a
// person's token, and no merchant's keys.
import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/admin.d.ts'

export type { paths as AdminPaths } from '../generated/admin.d.ts'

export interface AdminOptions {
  /** The listener of your people, such as `http://127.0.0.1:8081`. */
  readonly baseUrl: string
  /** The token of a person. */
  readonly token: string
  /** Instead of the global `fetch`, for instance with a time-out of your own. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * The client of openapi-fetch, typed by the contract of the admin API. A call resolves to `data`, or to the `error` of
 * the envelope. A change needs an `Idempotency-Key`: sent again with it, it is done once.
 *
 * @example
 * ```ts
 * const admin = createAdmin({ baseUrl: 'http://127.0.0.1:8081', token })
 * const { data, error } = await admin.POST('/merchants/{merchant}/suspend', {
 *   params: { path: { merchant: '2' }, header: { 'Idempotency-Key': crypto.randomUUID() } },
 *   body: { reason: 'Complaints of 20 November' },
 * })
 * ```
 */
export const createAdmin = ({ baseUrl, token, fetch }: AdminOptions): Client<paths> =>
  createClient<paths>({
    baseUrl: `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/api`,
    headers: { authorization: `Bearer ${token}` },
    ...(fetch && { fetch }),
  })
