import { request } from 'undici'
import { afterAll, beforeAll, expect } from 'vitest'
import { answering, listenHttp, playedInternet, type HostileServer } from '../../outbound/testing/hostile-network.ts'
import { guardedAgent, type OutboundPolicy } from '../../outbound/outbound-guard.ts'
import { callbackTo, sampleSender } from './sample-callback.ts'
import { handshakeWith, sampleHandshakeSender } from './sample-handshake.ts'

/** Live mode except that http is allowed: a merchant's server without a certificate, checked by the address rules. */
export const PUBLIC_HTTP_POLICY: OutboundPolicy = { allowHttp: true, allowPrivateAddresses: false }
export const PUBLIC = '93.184.215.14'

export let server: HostileServer
export let arrived: string[]
beforeAll(async () => {
  arrived = []
  server = await listenHttp(({ headers, url }, response) => {
    arrived.push(`${headers.host}${url}`)
    if (url?.startsWith('/to-metadata'))
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' })
    if (url?.startsWith('/again')) response.writeHead(308, { location: '/again' })
    response.end('ok')
  })
})
afterAll(() => server.stop())

type ReplyOptions = Parameters<typeof answering>[0]

/** The real senders with their real agents: both use the same guard. */
export const SENDERS = {
  callback: (options: Parameters<typeof sampleSender>[0]) => {
    const { send, close } = sampleSender(options)
    return { close, to: (url: string) => send(callbackTo(url)) }
  },
  handshake: (options: Parameters<typeof sampleHandshakeSender>[0]) => {
    const { request: sendRequest, close } = sampleHandshakeSender(options)
    return { close, to: (url: string) => sendRequest(handshakeWith(url)) }
  },
} as const
type Kind = keyof typeof SENDERS
export const KINDS = ['callback', 'handshake'] as const satisfies readonly Kind[]

async function deliverAs(kind: Kind, url: string, policy: OutboundPolicy, answersOf: ReplyOptions) {
  const dns = answering(answersOf)
  const network = playedInternet(dns.lookup, server.port)
  const sender = SENDERS[kind]({ policy, network })
  const before = arrived.length
  try {
    const { httpStatus, error } = await sender.to(url)
    return {
      httpStatus,
      error,
      dialled: network.dialled,
      asked: dns.asked,
      arrived: arrived.slice(before).map((target) => target.replace(/[?&]reference=ORDER-1$/, '')),
    }
  } finally {
    await sender.close()
  }
}

/**
 * Sends one callback and one handshake over a network that connects every address to `server`. Both have the same
 * result.
 */
export async function deliver(url: string, policy: OutboundPolicy, answersOf: ReplyOptions = {}) {
  const outcome = await deliverAs('callback', url, policy, answersOf)
  expect(await deliverAs('handshake', url, policy, answersOf)).toEqual(outcome)
  return outcome
}

/** The same without the URL check before it: what the agent alone does when it connects. */
export async function connectTo(url: string, policy: OutboundPolicy, answersOf: ReplyOptions = {}) {
  const network = playedInternet(answering(answersOf).lookup, server.port)
  const agent = guardedAgent(policy, network)
  try {
    const outcome = await request(url, { dispatcher: agent }).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode),
      (error: unknown) => error,
    )
    return { outcome, dialled: network.dialled }
  } finally {
    await agent.destroy()
  }
}
