import { freePort } from '../../server/verification/testing/free-port.ts'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isNightly } from '../../server/verification/testing/nightly.ts'
import { childEnv } from '../../server/verification/testing/child-env.ts'
import { DEMO_MERCHANT } from '../../server/verification/testing/gateway.ts'
import { serve, type ServedGateway } from '../../server/verification/testing/served-gateway.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { pointAccountAt } from './account.ts'
import { runProgram, type ProgramResult } from '../harness/program.ts'
import { startTlsTunnel, type TlsTunnel } from '../harness/tls-tunnel.ts'

// A gateway that runs as a separate process on the real clock, behind TLS with a self-signed certificate. It is tested
// as contract-tests/README.md describes: by its address, with its account's URLs pointed at a port of ours.

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url))
const { signingKey, webhookSecret } = DEMO_MERCHANT.keys
const folder = temporaryFolder().path
let gateway: ServedGateway
let tunnel: TlsTunnel | undefined
let receiverPort: number

beforeAll(async () => {
  const port = await freePort()
  tunnel = await startTlsTunnel(port)
  if (!tunnel) return
  receiverPort = await freePort()
  // Its payment pages are at the address that its customers use.
  gateway = await serve({ dataDir: join(folder, 'data'), port, env: { PUBLIC_BASE_URL: tunnel.url } })
  await pointAccountAt(receiverPort, join(folder, 'data'))
  // A running gateway picks up the change within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
})
beforeEach((context) => {
  if (!tunnel) context.skip('without openssl there is no certificate to test with')
})
afterAll(async () => {
  gateway?.child.kill('SIGTERM')
  await gateway?.exited
  await tunnel?.close()
})

function testContract(options: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
  const { HOME = '' } = process.env
  const args = [CLI, '--url', tunnel!.url, '--report-dir', mkdtempSync(join(folder, 'reports-')), ...options]
  return runProgram(process.execPath, args, { env: { ...childEnv(), HOME, ...env } })
}

test.concurrent('receives callbacks, handshakes and redirects at --receiver-port without findings', async () => {
  const { code, out, err } = await testContract(
    ['--receiver-port', String(receiverPort), '--only', isNightly ? 'declared,receiver' : 'receiver'],
    { NODE_EXTRA_CA_CERTS: tunnel!.certificate, SIGNING_KEY: signingKey, WEBHOOK_SECRET: webhookSecret },
  )
  expect(code, out + err).toBe(0)
  expect(out).toMatch(/^receiver +passed +\d{3} +\d{4} +0 /m)
  expect(out).toMatch(/^warning: receiver: the clock cannot be moved: /m)
  expect(out).toContain('\n0 findings, 1 warning, ')
  expect(out + err).not.toContain(webhookSecret)
})

test.concurrent('reports a certificate of an unknown authority in one line, with what to do', async () => {
  const { code, out, err } = await testContract(['--only', 'declared'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^https:\/\/localhost:\d+ cannot be reached: self-signed certificate.* NODE_EXTRA_CA_CERTS\n/)
})
