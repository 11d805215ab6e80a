import { readFileSync } from 'node:fs'
import { CALLING_CODES } from '../../driver/account-numbers.ts'
import { notEnough, payoutFunds, type PayoutFunds } from '../../driver/payout-funds.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { minorOf } from '../../driver/money.ts'
import { startReceiver } from '../../driver/merchant-server.ts'
import { conversions } from './conversion.ts'
import { judgeCallbacks, judgeRecord } from './judge.ts'
import { inactiveRefused } from './inactive.ts'
import { beyondLimits } from './limits.ts'
import { judgeLists, listedBanks, type Bank } from './lists.ts'
import { paymentsOf, type PaymentCase } from './payment-cases.ts'
import { offered } from './listed-options.ts'
import { nameOf, playPayments } from './play.ts'
import { readSandboxPage, type PageProvider, type SandboxPage } from './page.ts'
import { createOptionsFixture, type OptionsFixture } from './fixture.ts'

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
  { seed, log }: RunOptions,
  chosen?: OptionFilter,
): Promise<PartResult> {
  const { done, skipped } = beginPart('options', seed)
  const { receiver, own, sandbox, contract } = target
  if (!sandbox) return skipped(NO_SANDBOX)
  const fixture = createOptionsFixture(target, seed)
  const { findings, skippedChecks } = fixture
  const isChosen = ({ code }: { readonly code: string }): boolean => chosen?.codes.includes(code) ?? true
  const page = pageOf(contract, isChosen)
  if (!page) skippedChecks.add(NO_PAGE)
  if (!receiver) skippedChecks.add(DEAF)
  const server = receiver && (await startReceiver({ port: receiver.port, own }))
  let cases = 0
  try {
    const options = (await offered(fixture, page)).filter(isChosen)
    const banks = await listedBanks(fixture, options, page)
    judgeLists(fixture, options, page)
    const payable = options.filter(({ method, currency }) => method === 'BANK' || currency in CALLING_CODES)
    for (const { code } of options.filter((option) => !payable.includes(option)))
      skippedChecks.add(`no number of ${code} is known: nothing was paid there`)
    const inactive = await inactiveRefused(fixture, payable, banks)
    const active = payable.filter(({ isActive }) => isActive)
    const funds = await payoutFunds(target)
    const beyond = await beyondLimits(fixture, active, banks)
    const payments = affordable(
      fixture,
      active.flatMap((option, index) => paymentsOf(option, banks, index)),
      funds ?? new Map(),
    )
    const played = await playPayments(fixture, [
      ...payments,
      ...(chosen && !chosen.converts ? [] : await conversions(fixture, active, banks)),
    ])
    const names = bankNames(banks, page)
    for (const payment of played) judgeRecord(fixture, payment, names)
    if (server) await judgeCallbacks(fixture, played, server.messages)
    cases = beyond + inactive + played.length + (server?.messages.length ?? 0)
    log(`options: ${options.length} options, ${banks.length} banks, ${played.length} payments`)
  } finally {
    await server?.close()
  }
  const reason = skippedChecks.size > 0 ? [...skippedChecks].join('; ') : undefined
  return done({ cases, checks: findings.checks, findings: findings.list().map(({ finding }) => finding), reason })
}

function pageOf(contract: string, isChosen: (provider: PageProvider) => boolean): SandboxPage | undefined {
  const page = readSandboxPage(readFileSync(contract, 'utf8'))
  return page && { ...page, providers: page.providers.filter(isChosen) }
}

/** Listed or documented: a missing option was reported already. */
const bankNames = (banks: readonly Bank[], page: SandboxPage | undefined): ReadonlySet<string> =>
  new Set([...banks, ...(page?.banks ?? [])].map(({ provider, name }) => `${provider} ${name}`))

/** Twice the amount covers every charge. */
const WITH_CHARGE = 2n

/** Skips payouts that the wallet cannot pay for, the largest ones first, and says which. */
function affordable(
  fixture: OptionsFixture,
  payments: readonly PaymentCase[],
  funds: PayoutFunds,
): readonly PaymentCase[] {
  const left = new Map([...funds].map(([currency, units]) => [currency, minorOf(units, currency) ?? 0n]))
  const skipped = new Map<string, string[]>()
  const sorted = payments.toSorted((one, other) => Number(one.amountMinor - other.amountMinor))
  const chosen = sorted.filter((payment) => {
    const { option, amountMinor } = payment
    if (option.type === 'COLLECTION') return true
    const after = (left.get(option.currency) ?? 0n) - amountMinor * WITH_CHARGE
    if (after >= 0n) left.set(option.currency, after)
    else skipped.set(option.currency, [...(skipped.get(option.currency) ?? []), nameOf(payment)])
    return after >= 0n
  })
  for (const [currency, names] of skipped) {
    fixture.skippedChecks.add(notEnough(currency, funds.get(currency) ?? 0, `skipped: ${names.join(', ')}`))
  }
  return chosen
}
