import type { WireReply } from '../../harness/proxy.ts'
import { BANKS, PAYMENTS, PROVIDERS, refusal, WALLETS, withBody, withHeader, withStatus } from './edit.ts'
import { edited, type FaultRows } from './fault.ts'
import { inEach, inReplies, renumbered, atTimes, inAnyReplies } from './rows.ts'

/** Replies to an undeclared method, on any path. */
const toMethods = (does: string, change: (reply: WireReply) => WireReply) =>
  inAnyReplies(does, ({ status }) => status === 405, change)
const allowing = (methods: string | undefined) => (reply: WireReply) => withHeader(reply, 'allow', methods)

export const replyRows: FaultRows = {
  'cors-for-local-pages': edited('lets pages of the same machine read replies', [
    'http/app.ts',
    "if (isEnding()) reply.header('connection', 'close')",
    "reply.headers(/localhost/.test(request.headers.origin ?? '') ? { 'access-control-allow-origin': '*' } : {})",
  ]),
  'method-404': toMethods('answers 404 to a method that a path does not have', (reply) =>
    withStatus(allowing(undefined)(reply), 404),
  ),
  'allow-missing': toMethods('answers 405 without Allow', allowing(undefined)),
  'accepted-201': renumbered('answers 201 instead of 202', PAYMENTS, 202, 201),
  'now-and-then-500': atTimes('breaks at every 20th lookup', PROVIDERS, ['any', 20], (reply) =>
    refusal(reply, 500, 'Internal error'),
  ),
  'connection-dropped': atTimes('drops the connection at every 20th lookup', PROVIDERS, ['any', 20], () => {
    throw new Error('dropped')
  }),
  'byte-order-mark': inReplies('begins JSON with a byte order mark', BANKS, 'any', (reply) =>
    withBody(reply, `\ufeff${reply.body.toString()}`),
  ),
  'provider-extra-field': inEach('discloses its margin in the list of providers', 'payment_providers', (provider) => ({
    ...provider,
    margin_bps: 40,
  })),
  'wallets-of-all-currencies': inReplies(
    'ignores currency in the list of wallets',
    WALLETS,
    200,
    (_, request, { send }) => send({ ...request, path: '/data/wallet-balances' }),
  ),
}
