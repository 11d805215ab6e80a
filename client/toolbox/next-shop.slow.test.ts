import { freePort } from '../../server/verification/testing/free-port.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { packOnce } from '../packaging/testing/packed.ts'
import { serveNextRoutes } from './testing/next-routes.ts'
import { installNextShop, startNextShop } from './testing/next-shop.ts'
import { certify } from './testing/certify.ts'
import { run } from './testing/terminal.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import type { Listening } from '../../server/verification/testing/listening.ts'

describe('the route handlers of the Next shop', () => {
  const { path: folder } = temporaryFolder()
  let server: Listening
  beforeAll(async () => {
    const settings = {
      MALIPO_URL: 'http://127.0.0.1:1',
      MALIPO_PUBLIC_KEY: 'pub_sandbox_demo',
      MALIPO_SECRET_KEY: 'sec_sandbox_demo',
      MALIPO_SIGNING_KEY: 'SANDBOXDEMOSIGNKEY01',
      MALIPO_WEBHOOK_SECRET: 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==',
      SHOP_URL: 'http://127.0.0.1:3000',
      SHOP_DEVELOPMENT: '1',
      SHOP_ORDERS_FILE: join(folder, 'orders.sqlite'),
    }
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    server = await serveNextRoutes()
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    return server?.close()
  })

  test('pass every row of check for their routes', async () => {
    const { exitCode, printed } = await run(
      [
        'check',
        `${server.url}/callbacks`,
        '--handshake-url',
        `${server.url}/handshake`,
        '--effects-url',
        `${server.url}/dev/effects`,
        '--strict',
        '--json',
      ],
      folder,
    )
    const { rows } = JSON.parse(printed.join('\n')) as { rows: { id: string; verdict: string; did: string }[] }
    expect(rows.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect([rows.length, exitCode]).toEqual([29, 0])
  })

  test('live through a batch, a later event, a rotation and a refund as certify has it', async () => {
    const lives = ['handshake_batch', 'unknown_event', 'rotation', 'refund_failed'].flatMap((id) => ['--only', id])
    const gateway = `http://127.0.0.1:${await freePort()}`
    expect((await certify({ url: server.url, folder }, gateway, ...lives)).exitCode).toBe(0)
  })

  test('send a customer back to the form, with the reason, when Malipo does not answer', async () => {
    const reply = await fetch(`${server.url}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ provider: 'mtn_ug', phone: '256772000123' }),
      redirect: 'manual',
    })
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      'http://127.0.0.1:3000/?fault=later&provider=mtn_ug&phone=256772000123',
    ])
  })
})

const REQUESTED = process.env.MALIPO_NEXT_SHOP === '1'
if (!REQUESTED)
  skipReason('it takes minutes and 400 MB (MALIPO_NEXT_SHOP=1 does it)', 'the Next shop, installed, built and checked')

test.skipIf(!REQUESTED)(
  'the Next shop passes check and certify, built with the packed client',
  async () => {
    const packed = await packOnce()
    const folder = await installNextShop(packed.tarball)
    const gatewayUrl = `http://127.0.0.1:${await freePort()}`
    const shop = await startNextShop(folder, await freePort(), gatewayUrl)
    try {
      const { exitCode, printed } = await run([...shop.checkArguments, '--strict', '--json'], folder)
      const { rows } = JSON.parse(printed.join('\n')) as { rows: { id: string; verdict: string; did: string }[] }
      expect(rows.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
      expect([rows.length, exitCode]).toEqual([33, 0])
      const { lives } = await certify(shop, gatewayUrl)
      expect(lives.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    } finally {
      await shop.stop()
      await packed.remove()
    }
  },
  900_000,
)
