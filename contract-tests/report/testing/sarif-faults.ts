import type { Log, Run } from 'sarif'

/** Code scanning reads no more of one run, and shows the first 5,000. */
const RESULTS_MAX = 25_000
const URI_REFERENCE = /^[\w!#$%&'()*+,./:;=?@[\]~-]+$/

/**
 * What the types of SARIF 2.1.0 (@types/sarif) leave open and its schema, or GitHub's code scanning, does not; empty for
 * a good log.
 */
export function sarifFaults(json: string): string[] {
  const { version, $schema = '', runs } = JSON.parse(json) as Log
  return [
    ...(version === '2.1.0' && $schema.includes('sarif-2.1.0') ? [] : ['another version']),
    ...runs.flatMap(faultsOf),
  ]
}

function faultsOf({ tool, results = [], invocations = [], automationDetails }: Run): string[] {
  const rules = tool.driver.rules ?? []
  const notifications = invocations.flatMap(({ toolExecutionNotifications = [] }) => toolExecutionNotifications)
  const fault = (isGood: boolean, what: string): string[] => (isGood ? [] : [what])
  return [
    ...fault(isSet(rules.map(({ id }) => id)), 'two rules with one id'),
    ...fault(isSet(notifications.map((each) => JSON.stringify(each))), 'one notification twice'),
    ...fault(automationDetails?.id !== undefined, 'no id of the analysis: a second upload would replace the first'),
    ...fault(results.length <= RESULTS_MAX, 'too many results'),
    ...fault(isSet(results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints))), 'one alert twice'),
    ...results.flatMap(({ ruleId = '', ruleIndex = -1, message, locations = [], partialFingerprints = {} }) => {
      const [place] = locations
      const { uri = '' } = place?.physicalLocation?.artifactLocation ?? {}
      const { startLine = 0 } = place?.physicalLocation?.region ?? {}
      return [
        ...fault(rules[ruleIndex]?.id === ruleId && ruleId !== '', `the rule ${ruleIndex} is not ${ruleId}`),
        ...fault((message.text ?? '') !== '', 'a result without a text'),
        ...fault(locations.length === 1 && Number.isInteger(startLine) && startLine >= 1, 'a result without a line'),
        ...fault(URI_REFERENCE.test(uri), `${uri} is no reference`),
        ...fault(Object.keys(partialFingerprints).length > 0, 'a result without a fingerprint'),
      ]
    }),
  ]
}

const isSet = (values: readonly string[]): boolean => new Set(values).size === values.length
