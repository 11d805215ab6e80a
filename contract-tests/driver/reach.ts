import type { TargetInput } from '../harness/targets.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../harness/proxy.ts'
import { walletsRequest } from './requests.ts'

const UNAUTHORIZED = 401
/** Certificates of an authority that Node does not know: `NODE_EXTRA_CA_CERTS` is the fix. */
const UNKNOWN_AUTHORITY = /SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY/

/** Why a server is unreachable, in one line; undefined when it answers anything at all. */
export const whyUnreachable = async (url: string): Promise<string | undefined> =>
  reasonIn(await replyTo(url, wireRequest('GET', '/', {})))

/**
 * Why a server of our contract cannot be tested, in one line: it is unreachable, or refuses the keys of an account. A
 * run with wrong keys would blame the server for much.
 */
export async function whyUntestable({ url, other, ...first }: TargetInput): Promise<string | undefined> {
  const reply = await replyTo(url, walletsRequest(first))
  if (isRefused(reply)) return `${url} refuses the keys (401): --public-key and --secret-key`
  if (other && isRefused(await replyTo(url, walletsRequest(other))))
    return `${url} refuses the keys of the second account (401): --other-public-key and --other-secret-key`
  return reasonIn(reply)
}

type ReplyOrReason = WireReply | string
const isRefused = (reply: ReplyOrReason): boolean => typeof reply !== 'string' && reply.status === UNAUTHORIZED
const reasonIn = (reply: ReplyOrReason): string | undefined => (typeof reply === 'string' ? reply : undefined)

/** @returns the reply, or why there is none */
async function replyTo(url: string, request: WireRequest): Promise<ReplyOrReason> {
  try {
    return await passOn(new URL(url), request)
  } catch (error) {
    const { code = '', message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
    const hint = UNKNOWN_AUTHORITY.test(code)
      ? '. Name the certificate of its authority (a PEM file) in NODE_EXTRA_CA_CERTS'
      : ''
    return `${url} cannot be reached: ${(message || code).trim()}${hint}`
  }
}
