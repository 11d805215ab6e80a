import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, json, serve } from '../server/admin/cli/testing/command-line.ts'
import { DEMO_KEYS, DEMO_MERCHANT } from '../server/verification/testing/gateway.ts'
import { childEnv } from '../server/verification/testing/child-env.ts'
import { freePort } from '../server/verification/testing/free-port.ts'
import { temporaryFolder } from '../server/verification/testing/temporary-folder.ts'
import { runProgram } from './harness/program.ts'
import { OTHER_RECEIVER_PATHS, RECEIVER_PATHS } from './harness/receiver-paths.ts'

// The suite as anybody runs it: at a sandbox that is running, whose clock nobody moves. The other tests start gateways
// of their own.

const RUN_MS_MAX = 15 * 60_000
const UNLIMITED = Object.fromEntries(
  [
    'RATE_LIMIT',
    'RATE_LIMIT_ADDRESS',
    'OTP_SENDS_MAX',
    'OTP_WRONG_TRIES_MAX',
    'PROMPTS_PER_HOUR',
    'PROMPTS_PER_DAY',
  ].map((name) => [`MALIPO_${name}`, '1000000']),
)

const urls = (port: number, paths: Readonly<Record<keyof typeof RECEIVER_PATHS, string>>): readonly string[] =>
  Object.entries({
    '--collection-callback-url': paths.collectionCallback,
    '--payout-callback-url': paths.payoutCallback,
    '--refund-callback-url': paths.refundCallback,
    '--verification-url': paths.handshake,
  }).flatMap(([option, path]) => [option, `http://127.0.0.1:${port}${path}`])

test(
  'finds nothing at a running sandbox with two merchants, twice in a row',
  async () => {
    const env = {
      ...folder('running'),
      ...UNLIMITED,
      MALIPO_PROMPT_DECLINES_MAX: '1000000',
      MALIPO_SANDBOX_DELAY_MS: '2000',
    }
    const { url } = await serve(env)
    const port = await freePort()
    await json(['merchant', 'set', DEMO_KEYS['public-key'], ...urls(port, RECEIVER_PATHS)], env)
    const other = await json(['merchant', 'create', 'Duka Lingine', ...urls(port, OTHER_RECEIVER_PATHS)], env)
    const [publicKey, secretKey] = [String(other.public_key), String(other.secret_key)]
    await json(['wallet', 'deposit', publicKey, 'UGX', '400000', '--reference', 'CAPITAL'], env)
    const keys = {
      SIGNING_KEY: DEMO_MERCHANT.keys.signingKey,
      WEBHOOK_SECRET: DEMO_MERCHANT.keys.webhookSecret,
      OTHER_PUBLIC_KEY: publicKey,
      OTHER_SECRET_KEY: secretKey,
      OTHER_SIGNING_KEY: String(other.signing_key),
      OTHER_WEBHOOK_SECRET: String(other.webhook_secret),
    }
    const { path: reports } = temporaryFolder()
    for (const seed of ['1', '2']) {
      const args = ['--url', url, '--receiver-port', String(port), '--seed', seed, '--report-dir', reports]
      const { code, out } = await runProgram(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], {
        env: { ...childEnv(), ...keys },
        timeout: RUN_MS_MAX,
      })
      expect(out).toMatch(/^0 findings, /m)
      expect(code).toBe(0)
    }
  },
  2 * RUN_MS_MAX,
)
