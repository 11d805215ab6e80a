import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pythonThirdParty } from '../../openapi/operators/simulator/testing/third-party-clients/install.ts'
import { freePort } from '../verification/testing/free-port.ts'
import { daraja } from './daraja/daraja.ts'
import { COLLECTS, orderOf, payoutOf, PAYS_OUT, testWorld } from './daraja/testing/daraja-at-test.ts'
import { adapterAt } from './testing/adapter-at.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'

// A third-party server, written without knowledge of our simulators: daraja-mock implements Daraja as its author
// understands it.

const START_MS_MAX = 60_000

const installed = await pythonThirdParty('daraja-mock')
if ('unavailable' in installed) skipReason(installed.unavailable, 'the Daraja rail against daraja-mock (PyPI)')

async function atMock() {
  if ('unavailable' in installed) throw new Error(installed.unavailable)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const python = join(installed.folder, 'venv/bin/python')
  const server = spawn(python, ['-m', 'daraja_mock', '--port', String(port)], { stdio: 'ignore' })
  onTestFinished(() => void server.kill('SIGKILL'))
  await vi.waitFor(() => fetch(`${url}/health`), { timeout: START_MS_MAX })
  return adapterAt(daraja, { ...COLLECTS, ...PAYS_OUT, base_url: url }, testWorld()).adapter
}

test.skipIf('unavailable' in installed)(
  'gives a token and accepts a prompt; its word on another prompt is not believed',
  { timeout: 120_000 },
  async () => {
    const adapter = await atMock()
    expect(await adapter.check({})).toContainEqual({ what: 'credentials', ok: true, detail: 'a token was given' })
    const answer = await adapter.submit(orderOf())
    const externalIds = { MerchantRequestID: expect.any(String), CheckoutRequestID: expect.stringMatching(/^ws_CO_/) }
    expect(answer).toEqual({ answer: 'accepted', externalIds })
    // It answers every query with a success, even for an unknown id.
    expect(
      await adapter.query(orderOf({ externalIds: 'externalIds' in answer ? (answer.externalIds ?? {}) : {} })),
    ).toEqual({
      knows: 'unreachable',
      error: 'M-PESA answered about another prompt',
    })
  },
)

test.skipIf('unavailable' in installed)(
  'takes a payout and names another: whether ours arrived stays unknown',
  { timeout: 120_000 },
  async () => {
    const adapter = await atMock()
    const error = 'M-PESA answered about another payout'
    expect(await adapter.submit(payoutOf())).toEqual({ answer: 'unreachable', error })
    expect(await adapter.query(payoutOf())).toMatchObject({ knows: 'unreachable' })
  },
)
