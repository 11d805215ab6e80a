import { readFileSync } from 'node:fs'
import { createFixture, type DriverFixture } from '../../driver/fixture.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { wireOf } from '../../driver/money.ts'
import { startReceiver } from '../../driver/merchant-server.ts'
import { hasNumbers } from '../../driver/provider-options.ts'
import { conversions } from './conversion.ts'
import { judgeCallbacks, judgeRecord } from './judge.ts'
import { listedOptions, withBanks } from './lists.ts'
import { paymentsOf, type PaymentCase } from './payment-cases.ts'
import { nameOf, playPayments, refundParts } from './play.ts'
import { readSandboxPage, type PageProvider, type SandboxPage } from './page.ts'
import { areRefused, beyondLimits, inactive } from './refusals.ts'

const NO_SANDBOX = "the outcomes are those of the sandbox's test numbers"
const NO_PAGE =
  'the contract has no page of the sandbox with its providers: lists, charges and OTPs were compared with nothing'
const DEAF = 'without a receiver no callback was compared with verify'

export const optionsPart: Part = {
  name: 'options',
  what: 'every provider, direction and bank that is listed: limits, charges, totals, outcomes, callbacks, other currencies',
  run: (target, options) => runOptions(target, options),
}

/** These providers only. */
interface OptionFilter {
  readonly codes: readonly string[]
  /** Whether to pay in other currencies too. */
  readonly converts?: true
}

/** @param chosen absent: everything that is listed */
export async function runOptions(
  target: Target,
  { seed, size, log }: RunOptions,
  chosen?: OptionFilter,
): Promise<PartResult> {
  const { done, skipped } = beginPart('options', seed)
  const { receiver, own, sandbox, contract } = target
  if (!sandbox) return skipped(NO_SANDBOX)
  const fixture = createFixture(target, { seed, size }, { prefix: 'OPTIONS' })
  const { skip } = fixture
  const isChosen = ({ code }: { readonly code: string }): boolean => chosen?.codes.includes(code) ?? true
  const page = pageOf(contract, isChosen)
  if (!page) skip(NO_PAGE)
  if (!receiver) skip(DEAF)
  const server = receiver && (await startReceiver({ port: receiver.port, own }))
  try {
    const options = await withBanks(fixture, await listedOptions(fixture, page, isChosen), page)
    const banks = [...new Set(options.flatMap((option) => option.banks))]
    const payable = options.filter(hasNumbers)
    for (const { code } of options.filter((option) => !payable.includes(option)))
      skip(`no number of ${code} is known: nothing was paid there`)
    const active = payable.filter(({ isActive }) => isActive)
    await areRefused(fixture, [...inactive(payable), ...beyondLimits(active)])
    const payments = active.flatMap((option, index) => paymentsOf(option, index))
    const played = await playPayments(fixture, [
      ...(await affordable(fixture, payments)),
      ...(chosen && !chosen.converts ? [] : await conversions(fixture, active)),
    ])
    const names = [...banks, ...(page?.banks ?? [])].map(({ provider, name }) => `${provider} ${JSON.stringify(name)}`)
    await refundParts(fixture, played)
    for (const payment of played) judgeRecord(payment, new Set(names))
    if (server) await judgeCallbacks(target, played, server.messages)
    log(`options: ${options.length} options, ${banks.length} banks, ${played.length} payments`)
  } finally {
    await server?.close()
  }
  return done(fixture.outcome())
}

function pageOf(contract: string, isChosen: (provider: PageProvider) => boolean): SandboxPage | undefined {
  const page = readSandboxPage(readFileSync(contract, 'utf8'))
  return page && { ...page, providers: page.providers.filter(isChosen) }
}

/** Skips payouts that the wallet cannot pay for, the largest ones first, and says which. */
async function affordable(fixture: DriverFixture, payments: readonly PaymentCase[]): Promise<readonly PaymentCase[]> {
  const { COLLECTION: chosen = [], PAYOUT: payouts = [] } = Object.groupBy(payments, ({ option: { type } }) => type)
  const sorted = payouts.toSorted((one, other) => Number(one.amountMinor - other.amountMinor))
  for (const [currency, own] of Map.groupBy(sorted, ({ option }) => option.currency))
    for (const [index, payout] of own.entries()) {
      const tests = own.slice(index).map(nameOf).join(', ')
      if (!(await fixture.covers({ currency, amount: wireOf(payout.amountMinor, currency), tests }))) break
      chosen.push(payout)
    }
  return chosen
}
