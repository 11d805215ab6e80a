import type { WireReply, WireRequest } from '../../harness/proxy.ts'
import { header, withBody, withHeader, withQuery } from './edit.ts'
import { faultsOf, type Plant, type World } from './fault.ts'
import { signMessage } from './sign.ts'

const isHandshake = ({ body }: WireRequest): boolean => body.length === 0
const asks = (change: (message: WireRequest) => WireRequest): Plant => ({
  merchant: { onRequest: (message) => (isHandshake(message) ? change(message) : message) },
})
const answered = (change: (reply: WireReply, message: WireRequest) => WireReply | Promise<WireReply>): Plant => ({
  merchant: { onReply: (reply, message) => (isHandshake(message) ? change(reply, message) : reply) },
})
const withStatus = (reply: WireReply, status: number): WireReply => ({ ...reply, status })
const OK: WireReply = { status: 200, headers: { 'content-length': ['0'] }, body: Buffer.alloc(0) }

export const handshakeFaults = faultsOf('handshake', {
  'reference-missing': {
    what: 'asks without the reference',
    plant: () => asks((message) => withQuery(message, 'reference', undefined)),
  },
  'reference-internal': {
    what: "asks with another reference than the merchant's",
    plant: () => asks((message) => withQuery(message, 'reference', 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D')),
  },
  'reference-renamed': {
    what: 'calls the parameter merchant_reference',
    plant: () => asks((message) => ({ ...message, path: message.path.replace('?reference=', '?merchant_reference=') })),
  },
  'handshake-by-post': {
    what: 'asks with POST',
    plant: () =>
      asks((message) => ({ ...message, method: 'POST', headers: { ...message.headers, 'content-length': ['0'] } })),
  },
  'handshake-with-body': {
    what: 'asks with a body',
    plant: (world) => asks((message) => signMessage(withBody(message, '{}'), world)),
  },
  'handshake-unsigned': {
    what: 'does not sign the question',
    plant: () => asks((message) => withHeader(message, 'webhook-signature', undefined)),
  },
  'handshake-signature-wrong': {
    what: 'signs the question with another secret',
    plant: () =>
      asks((message) =>
        signMessage(message, { webhookSecret: 'whsec_YW5vdGhlciBzZWNyZXQ=' } satisfies Pick<World, 'webhookSecret'>),
      ),
  },
  'handshake-time-old': {
    what: 'asks with a webhook-timestamp of an hour ago',
    plant: (world) =>
      asks((message) =>
        signMessage(
          withHeader(message, 'webhook-timestamp', String(Number(header(message, 'webhook-timestamp')) - 3600)),
          world,
        ),
      ),
  },
  'handshake-without-id': {
    what: 'asks without webhook-id',
    plant: () => asks((message) => withHeader(message, 'webhook-id', undefined)),
  },
  'never-asked': {
    what: 'pays out without asking',
    plant: () => ({ merchant: { onRequest: (message) => (isHandshake(message) ? { answer: OK } : message) } }),
  },
  'rejection-ignored': {
    what: 'pays out although the merchant rejected it',
    plant: () => answered((reply) => (reply.status >= 400 && reply.status < 500 ? OK : reply)),
  },
  'failure-taken-for-rejection': {
    what: 'rejects a payout after the first 5xx',
    plant: () => answered((reply) => (reply.status >= 500 ? withStatus(reply, 404) : reply)),
  },
  'failure-taken-for-consent': {
    what: 'pays out after a 5xx',
    plant: () => answered((reply) => (reply.status >= 500 ? OK : reply)),
  },
  'redirect-taken-for-consent': {
    what: 'pays out after a redirect',
    plant: () => answered((reply) => (reply.status >= 300 && reply.status < 400 ? OK : reply)),
  },
  'asked-twice': {
    what: 'asks again after it was answered',
    plant: ({ deliver }) =>
      answered(async (reply, message) => {
        if (reply.status === 200) await deliver(message)
        return reply
      }),
  },
})
