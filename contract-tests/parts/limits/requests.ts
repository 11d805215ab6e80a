import { jsonOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf, type Fields } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import { wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'

/** A reply as a merchant's program reads it. */
export interface ApiReply {
  /** 0: there was no reply. */
  readonly status: number
  readonly message: string
  readonly data: Fields
  header(name: string): string | undefined
}

/** @param reply undefined: none came */
export function toApiReply(reply: WireReply | undefined): ApiReply {
  const { message, data } = fieldsOf(reply && jsonOf(reply.body))
  return {
    status: reply?.status ?? 0,
    message: typeof message === 'string' ? message : '',
    data: fieldsOf(data),
    header: (name) => reply?.headers[name]?.[0],
  }
}

const PATHS = {
  initializeCollection: '/collections/initialize',
  authorizeCollection: '/collections/authorize',
  sendFunds: '/payout/send-funds',
} as const
export type PostOperation = keyof typeof PATHS

/** A POST as a merchant sends it. @param more further headers */
export const postRequest = (
  { publicKey, secretKey }: Pick<Target, 'publicKey' | 'secretKey'>,
  operation: PostOperation,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): WireRequest =>
  wireRequest(
    'POST',
    PATHS[operation],
    {
      'public-key': publicKey,
      ...(operation === 'sendFunds' && { 'secret-key': secretKey }),
      'x-api-version': '1',
      'content-type': 'application/json',
      ...more,
    },
    body,
  )

/** A GET with the headers that every operation requires. @param more further headers */
export const getRequest = (
  { publicKey }: Pick<Target, 'publicKey'>,
  path: string,
  more: Readonly<Record<string, string>> = {},
): WireRequest => wireRequest('GET', path, { 'public-key': publicKey, 'x-api-version': '1', ...more })
