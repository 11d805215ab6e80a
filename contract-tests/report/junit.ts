import type { Finding, PartResult } from '../harness/part.ts'
import { junitDocument, type TestCase } from '../schemathesis-runner-wrapper/junit.ts'

/** For a part that names no rules. */
const WHOLE = 'keeps the contract'

/** JUnit XML: a suite per part, a test case per rule, one failure for everything that breaks it. */
export const junitXml = (results: readonly PartResult[]): string =>
  junitDocument(
    results.map((result) => {
      const { part, reason, notReproduced = [], durationMs } = result
      const remarks = [
        ...(reason === undefined ? [] : [reason]),
        ...notReproduced.map(({ about, what }) => `seen once, not reproduced: ${about}: ${what}`),
      ]
      return {
        name: part,
        classname: `contract-tests.${part}`,
        durationMs,
        cases: casesOf(result),
        ...(remarks.length > 0 && { output: remarks.join('\n') }),
      }
    }),
  )

function casesOf({ status, reason = '', findings, rules = [] }: PartResult): TestCase[] {
  if (status === 'skipped' && findings.length === 0)
    return [{ name: WHOLE, outcome: { tag: 'skipped', message: reason } }]
  const broken = Map.groupBy(findings, ruleOf)
  const names = [...new Set([...rules, ...broken.keys()])]
  return (names.length === 0 ? [WHOLE] : names).map((name) => {
    const own = broken.get(name) ?? []
    const [first] = own
    if (!first) return { name }
    const texts = own.map(({ about, what, also = [], curl = '' }) =>
      [`${about}: ${what}`, ...also.map((place) => `also: ${place}`), curl].filter((line) => line !== '').join('\n'),
    )
    return { name, outcome: { tag: 'failure', type: 'finding', message: first.what, text: texts.join('\n\n') } }
  })
}

/** The name of the test case of a finding. */
export const ruleOf = ({ rule, about }: Finding): string => rule ?? about
