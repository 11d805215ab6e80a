import { InvalidArgumentError, type Command, type Option } from 'commander'

const REPEATABLE = new WeakSet<object>()

/** Marks the parser of an option that may be repeated, one value each time. */
export function repeatable<Value extends (text: string, before?: never) => unknown>(parse: Value): Value {
  REPEATABLE.add(parse)
  return parse
}

/**
 * `--json`, `-h`, and the dash that word processors make of two hyphens. A hyphen alone is standard input,
 * `-5` a number.
 */
const OPTION = /^\s*(?:--|-[a-z])/i
const DASH = /^\s*([\u2010-\u2015\u2212])/

/**
 * An option takes whatever follows it as its value: `--failed --json` made a payout FAILED with the reason `--json`.
 * So no value may look like an option. And when an option is given twice, the parser silently uses the last one: a
 * command that changes something, and so requires a reason, would book the wrong one of two references.
 */
export function checkOptionValues(command: Command): void {
  const isChange = command.options.some(({ long }) => long === '--reason')
  for (const option of command.options)
    if (option.required || option.optional) checkValues(command, option, isChange && !isRepeatable(option))
  for (const each of command.commands) checkOptionValues(each)
}

const isRepeatable = ({ parseArg: parse }: Option): boolean => parse !== undefined && REPEATABLE.has(parse)

function checkValues(command: Command, option: Option, once: boolean): void {
  const { parseArg: parse } = option
  let isGiven = false
  option.argParser((text: string, before: unknown): unknown => {
    refuseOptionLike(text)
    if (isGiven && once) throw new InvalidArgumentError('It is set twice: set it once.')
    isGiven = true
    return parse ? parse(text, before) : text
  })
  const negated = command.options.find(({ negate, long }) => negate && long === `--no-${option.name()}`)
  if (negated === undefined) return
  let isNegated = false
  const refuseBoth = (): void => {
    if (isGiven && isNegated) command.error(`error: ${option.long} and ${negated.long} contradict each other`)
  }
  command.on(`option:${option.name()}`, refuseBoth)
  command.on(`option:${negated.name()}`, () => {
    isNegated = true
    refuseBoth()
  })
}

function refuseOptionLike(text: string): void {
  if (OPTION.test(text)) throw new InvalidArgumentError(`${text} is an option, not the value of this one.`)
  const dash = DASH.exec(text)?.[1]
  if (dash !== undefined)
    throw new InvalidArgumentError(
      `It begins with ${dash}, which word processors make of two hyphens: type options with hyphens, or start the value with another character.`,
    )
}
