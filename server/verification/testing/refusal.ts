import contract from '../../../generated/openapi.json' with { type: 'json' }

const { examples } = contract.components

/**
 * The message of a refusal in the words of the contract's example. A test that another test holds to the wording takes it
 * from here, so that other words for a refusal are written in the contract and in the code only.
 *
 * @param values the test's own values, by the values of the example that they replace
 */
export function refusal(name: keyof typeof examples, values: Readonly<Record<string, string>> = {}): string {
  const { value } = examples[name]
  if (typeof value === 'string' || !('message' in value) || value.status !== 'error')
    throw new Error(`${name} is no refusal`)
  const { message } = value
  const shown = Object.keys(values)
  const missing = shown.find((each) => message.split(each).length !== 2)
  if (missing !== undefined) throw new Error(`the example ${name} does not show ${missing} once`)
  if (shown.length === 0) return message
  const any = new RegExp(shown.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'), 'g')
  return message.replaceAll(any, (each) => values[each] ?? each)
}
