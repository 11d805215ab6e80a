import { divideHalfUp, moneyFromWire, type Currency } from './money.ts'

/** The fee that an operator should charge for a movement: steps by amount, of which the first that fits applies. */
export type FeeRule = readonly FeeStep[]

interface FeeStep {
  /** In minor units; absent: any amount. */
  readonly upToMinor?: bigint
  /** In hundredths of a basis point: 1.25 % is 12,500. */
  readonly share: bigint
  readonly flatMinor: bigint
}

const SHARE_ONE = 1_000_000n
const AMOUNT = String.raw`\d{1,12}(?:\.\d{1,4})?`
const STEP = new RegExp(String.raw`^(?:(${AMOUNT}):)?(?:(\d{1,3}(?:\.\d{1,4})?)%(?:\+(${AMOUNT}))?|(${AMOUNT}))$`)
const STEPS_MAX = 50

/** The text form of a rule, for people. */
export const FEE_RULE_FORM =
  'an amount (`0`, `25`), a share (`1.5%`), both (`1%+10`), steps by amount with commas between (`100:0,1500:13,1%`), or `any`'

/**
 * Parses the rule for an operator's fees: amounts in major units, steps in ascending order.
 * @returns undefined for `any`: no fee counts as a difference
 * @throws RangeError for an invalid rule in this currency
 */
export function readFeeRule(text: string, currency: Currency): FeeRule | undefined {
  if (text === 'any') return undefined
  const parts = text.split(',')
  if (parts.length > STEPS_MAX) throw new RangeError(`has more than ${STEPS_MAX} steps`)
  const steps = parts.map((part) => stepOf(part.trim(), currency))
  const falling = steps.some(
    ({ upToMinor }, index) => index > 0 && (upToMinor ?? INFINITE) <= (steps[index - 1]?.upToMinor ?? INFINITE),
  )
  if (falling) throw new RangeError('must have its steps in rising order, the one without an amount last')
  return steps
}

/** More than any amount. */
const INFINITE = 10n ** 30n

function stepOf(part: string, currency: Currency): FeeStep {
  const [, upTo, share, beside, flat] = STEP.exec(part) ?? []
  if (share === undefined && flat === undefined)
    throw new RangeError(`must be ${FEE_RULE_FORM.replaceAll('`', '')}: "${part}" is none of them`)
  return {
    ...(upTo !== undefined && { upToMinor: minorOf(upTo, currency) }),
    share: share === undefined ? 0n : tenThousandths(share),
    flatMinor: minorOf(flat ?? beside ?? '0', currency),
  }
}

function minorOf(text: string, currency: Currency): bigint {
  try {
    return moneyFromWire(text, currency).amountMinor
  } catch {
    throw new RangeError(`must be in amounts of ${currency}: ${text} has too many decimals`)
  }
}

function tenThousandths(percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.split('.')
  return BigInt(whole + fraction.padEnd(4, '0'))
}

/**
 * @returns the fee in minor units, rounded half up; undefined where no step covers the amount: then no fee counts as a
 *   difference
 */
export function expectedFee(rule: FeeRule | undefined, amountMinor: bigint): bigint | undefined {
  const step = rule?.find(({ upToMinor }) => upToMinor === undefined || amountMinor <= upToMinor)
  return step && step.flatMinor + divideHalfUp(amountMinor * step.share, SHARE_ONE)
}
