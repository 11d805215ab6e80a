import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../../server/domain/present.ts'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { MASTER_KEY, startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { fencesIn } from './fences.ts'
import { asTyped, environmentOf, SHOWN_URL } from './reader.ts'
import { listenTypeScript, runShell, SHOWN_PORT } from './run-sample.ts'
import { typeErrors } from './type-errors.ts'

// Runs every command of the page about rehearsing, beside simulated operators.

const page = fencesIn(readFileSync(new URL('../../../openapi/pages/rehearsal.md', import.meta.url), 'utf8'))
const blocks = (heading: string, language: string): string[] =>
  page.filter((fence) => fence.heading === heading && fence.language === language).map(({ text }) => text)

const database = await forFile(createTestDatabase('template0'))
const rehearsal = { MALIPO_MODE: 'rehearsal', MALIPO_MASTER_KEY: MASTER_KEY }
const gateway = await startTestGateway({
  connection: database.connection,
  env: rehearsal,
  surroundings: { runJobs: true },
})
await forFile(Promise.resolve({ end: () => gateway.stop() }))
const startOperator = async (name: string, options = {}) => {
  const simulator = await startSimulator(present(SIMULATORS[name], name)(options), { port: 0 })
  await forFile(Promise.resolve({ end: () => simulator.close() }))
  return simulator
}
const mtn = await startOperator('mtn-momo', { currency: 'UGX' })
const daraja = await startOperator('daraja')

const here = (text: string): string =>
  text
    .replaceAll(new URL(SHOWN_URL).host, new URL(gateway.url).host)
    .replaceAll('http://127.0.0.1:9101', mtn.url)
    .replaceAll('http://127.0.0.1:9102', daraja.url)
const shell: Record<string, string> = {
  ...environmentOf(database),
  ...rehearsal,
  MALIPO_DATA_DIR: tmpdir(),
  PORT: new URL(gateway.url).port,
}

/** Splits typed lines into commands: continued lines and quoted texts belong together. */
function commandsIn(block: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of block.trim().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    const isWhole = !/[\\|]$/.test(line) && (open.match(/'/g) ?? []).length % 2 === 0
    if (!isWhole) continue
    commands.push(open)
    open = ''
  }
  return commands
}

/** What the reader starts or keeps on their own: servers, and variables, which `shell` has. */
const isOfTheReader = (command: string): boolean =>
  /^export |^npm start$|^npx --no -- malipo-operator |^WEBHOOK_SECRET=|^PUBLIC_KEY=/.test(command)

async function typed(block: string): Promise<string> {
  let printed = ''
  for (const command of commandsIn(block).filter((each) => !isOfTheReader(each))) {
    const text = asTyped(here(command))
    const { exitCode, stdout, stderr } = await runShell(text, shell)
    expect(exitCode, `${text}\n${stdout}${stderr}`).toBe(0)
    printed += stdout
    await gateway.refresh() // it does so within a second on its own
  }
  return printed
}

async function approve(phone: string): Promise<void> {
  const [, origin = '', number = ''] = /^(http:\/\/[^/]+)\/phone\/(\d+)$/.exec(here(phone)) ?? []
  const poll = async () => {
    const { orders } = (await (await fetch(`${origin}/simulator/orders?msisdn=${number}`)).json()) as {
      readonly orders: readonly { readonly id: string; readonly state: string }[]
    }
    return orders.find(({ state }) => state === 'waiting')?.id
  }
  await expect.poll(poll, { timeout: 60_000 }).toBeDefined()
  const body = new URLSearchParams({ order: present(await poll(), 'an order'), pin: '1234', decision: 'approved' })
  expect((await fetch(here(phone), { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
}

/** Replaces timestamps, and days that depend on when a certificate was made. */
const timeless = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, (at) => '0'.repeat(at.length))
    // An id contains its time too.
    .replaceAll(/(?<=transfer )\d+/g, (id) => '0'.repeat(id.length))
    .trim()

test('goes from nothing to a collection and a payout, by MTN MoMo and by M-PESA', { timeout: 240_000 }, async () => {
  const heading = 'MTN MoMo on your own machine'
  const [, , setUp = '', collect = '', events = '', payOut = ''] = blocks(heading, 'sh')
  const [, check = '', collected = '', history = '', paidOut = ''] = blocks(heading, '')
  const [source = ''] = blocks(heading, 'ts')
  expect(typeErrors(source)).toEqual([])

  const printed = await typed(setUp)
  expect(printed).toContain(here(check))
  const keyOf = (label: string) => present(new RegExp(`^${label} +(\\S+)$`, 'm').exec(printed)?.[1], label)
  shell['PUBLIC_KEY'] = keyOf('public key')
  shell['SECRET_KEY'] = keyOf('secret key')
  const desk = await listenTypeScript(
    source.replace("process.env['WEBHOOK_SECRET'] ?? ''", JSON.stringify(keyOf('webhook secret'))),
  )
  try {
    const deskUrl = `http://127.0.0.1:${desk.port}`
    await typed(
      `npx --no -- malipo merchant set 1 --collection-callback-url ${deskUrl}/ --payout-callback-url ${deskUrl}/ --verification-url ${deskUrl}/handshake --reason 'A rehearsal'`,
    )
    expect(setUp).toContain(`http://127.0.0.1:${SHOWN_PORT}/handshake`)
    const reported = (text: string) => expect.poll(desk.output, { timeout: 60_000 }).toContain(text)

    await typed(collect)
    await approve('http://127.0.0.1:9101/phone/256772000123')
    await reported(collected)
    await expect.poll(() => typed(events).then(timeless), { timeout: 60_000 }).toBe(timeless(history))
    await typed(payOut)
    await reported(paidOut)

    const byMpesa = 'The same with M-PESA'
    const [, setUpMpesa = ''] = blocks(byMpesa, 'sh')
    const [checkMpesa = '', agreed = ''] = blocks(byMpesa, '')
    expect(timeless(await typed(setUpMpesa))).toContain(timeless(here(checkMpesa)))
    const inShillings = (block: string) =>
      block
        .replaceAll('mtn_ug', 'mpesa_ke')
        .replaceAll('256772000123', '254712345678')
        .replaceAll('UGX', 'KES')
        .replaceAll('2026-0001', '2026-0002')
        .replace(/"amount":\d+/, '"amount":500')
        .replace(/^npx --no -- malipo wallet.*$/m, '')
    await typed(inShillings(collect))
    await approve('http://127.0.0.1:9102/phone/254712345678')
    await reported(inShillings(collected))
    await typed(inShillings(payOut))
    await reported(inShillings(paidOut))
    expect((await typed(inShillings(events).replace('ORDER', 'PAYOUT'))).replaceAll(/ +/g, ' ')).toContain(
      agreed.trim().replaceAll(/ +/g, ' '),
    )
  } finally {
    await desk.stop()
  }
})
