import { freePort } from '../../../server/verification/testing/free-port.ts'
import { globSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { RunOptions } from '../../harness/part.ts'
import { startProxy, type ProxyOptions } from '../../harness/proxy.ts'
import { runWorkflows, WORKFLOWS, workflowsPart } from './workflows.ts'
import { ownGatewayTest } from '../../harness/testing/own-gateway-test.ts'
import { testNightly } from '../../../server/verification/testing/nightly.ts'

const { gateway } = await ownGatewayTest({ receiverPort: await freePort() })

const silent = (seed: number): RunOptions => ({ seed, size: 'pull-request', log: () => {} })

test('a receiver that cannot verify a signature fails exactly one step', async () => {
  const receiver = { ...gateway.receiver!, webhookSecret: 'whsec_b2Ygc29tZWJvZHkgZWxzZQ==' }
  const { status, findings } = await runWorkflows({ ...gateway, receiver }, silent(2), async () => [
    'callbacks.arazzo.yaml',
  ])
  expect(status).toBe('findings')
  expect(findings.map(({ about }) => about)).toEqual(
    ['hearOfCompletedCollection', 'hearOfFailedCollection', 'payOutAfterHandshake'].map(
      (workflow) => `callbacks.arazzo.yaml ${workflow}, step callback`,
    ),
  )
  expect(findings[0]!.what).toMatch(/^not so: \$response\.body#\/callbacks\/0\/signature_valid == true; answered 200 /)
})

/** A gateway that accepts a reference twice, does not mark replays, and lists what the contract does not know. */
const faulty: ProxyOptions['onReply'] = (reply, { body: sent }) => {
  const { 'idempotency-replayed': _replayed, ...headers } = reply.headers
  const body = Buffer.from(reply.body.toString('utf8').replace('"payout_banks":[]', '"payout_banks":[],"more":1'))
  return {
    status: sent.includes('-TWICE') && reply.status === 409 ? 202 : reply.status,
    headers: { ...headers, 'content-length': [String(body.length)] },
    body,
  }
}

test('reports planted faults once each, with a line that shows them', async () => {
  const proxy = await startProxy({ to: gateway.url, onReply: faulty })
  onTestFinished(() => proxy.close())
  const { status, findings } = await runWorkflows({ ...gateway, url: proxy.url }, silent(3), async () => [
    'lookups.arazzo.yaml',
    'refusals.arazzo.yaml',
  ])
  expect(status).toBe('findings')
  expect(findings.map(({ about, what }) => `${about}: ${what.replace(/\s+/g, ' ').slice(0, 60)}`)).toEqual([
    expect.stringMatching(/^lookups\.arazzo\.yaml lookUpNothing, step listNoBanks: not so: schema check/),
    expect.stringMatching(/^refusals\.arazzo\.yaml useReferenceTwice, step again: not so: \$statusCode == 409/),
    expect.stringMatching(
      /^refusals\.arazzo\.yaml repeatAfterLostReply, step repeat: not so: \$response\.header\.Idempotency-Replayed/,
    ),
  ])
  for (const { curl } of findings) expect(curl).toMatch(/^curl .*'public-key: '"\$PUBLIC_KEY"'/)
  expect(JSON.stringify(findings)).not.toMatch(/(pub|sec)_sandbox_demo/)
})

testNightly('a server that does not answer is a finding, not an exception', async () => {
  const { status, findings } = await runWorkflows({ ...gateway, url: 'http://127.0.0.1:1' }, silent(4), async () => [
    'lookups.arazzo.yaml',
  ])
  expect(status).toBe('findings')
  expect(findings.map(({ about }) => about)).toEqual([
    'lookups.arazzo.yaml payOutAfterLookups, step listProviders',
    'lookups.arazzo.yaml lookUpNothing, step listNoProviders',
  ])
  expect(findings[0]!.what).toContain('failed network request')
})

test('skips a server that is no sandbox, and workflows that lack a receiver', async () => {
  expect(await workflowsPart.run({ ...gateway, sandbox: false }, silent(1))).toMatchObject({
    status: 'skipped',
    cases: 0,
    reason: 'the workflows use the phone numbers of the sandbox',
  })
  const { receiver: _receiver, ...without } = gateway
  expect(await runWorkflows(without, silent(5), async () => ['callbacks.arazzo.yaml'])).toMatchObject({
    status: 'skipped',
    reason: 'without a receiver callbacks.arazzo.yaml is skipped',
  })
})

test('the README names every workflow and its steps', () => {
  // Its table is aligned with spaces.
  const readme = readFileSync(`${WORKFLOWS}README.md`, 'utf8').replace(/ +/g, ' ')
  const workflows = globSync(`${WORKFLOWS}*.arazzo.yaml`).flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/- workflowId: (\w+)\n {4}summary: (.+)\n/g),
  ])
  expect(workflows.length).toBeGreaterThanOrEqual(12)
  for (const [, id, summary] of workflows) expect(readme).toContain(`| \`${id}\` | ${summary} |`)
})
