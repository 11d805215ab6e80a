import type { Result } from './types.ts'

/** A suite of JUnit's form: a profile here, a part in the contract suite. */
export interface TestSuite {
  readonly name: string
  readonly classname: string
  readonly durationMs: number
  readonly cases: readonly TestCase[]
  /** Remarks of the whole suite. */
  readonly output?: string
}

/** A test case with at most one outcome: readers of the file show only the first. */
export interface TestCase {
  readonly name: string
  readonly outcome?: {
    readonly tag: 'failure' | 'error' | 'skipped'
    readonly type?: string
    readonly message: string
    readonly text?: string
  }
}

// Control characters are invalid in XML 1.0, even escaped.
const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** JUnit XML, as Jenkins and GitLab read it. */
export const junitDocument = (suites: readonly TestSuite[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.map(suiteXml).join('')}</testsuites>\n`

function suiteXml({ name, classname, durationMs, cases, output }: TestSuite): string {
  const count = (tag: string) => cases.filter(({ outcome }) => outcome?.tag === tag).length
  return [
    `  <testsuite name="${escape(name)}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${durationMs / 1000}">\n`,
    ...cases.map(
      (each) =>
        `    <testcase classname="${escape(classname)}" name="${escape(each.name)}">${outcomeXml(each)}</testcase>\n`,
    ),
    ...(output === undefined ? [] : [`    <system-out>${escape(output)}</system-out>\n`]),
    '  </testsuite>\n',
  ].join('')
}

function outcomeXml({ outcome }: TestCase): string {
  if (!outcome) return ''
  const { tag, type, message, text } = outcome
  const start = `<${tag}${type === undefined ? '' : ` type="${escape(type)}"`} message="${escape(message)}"`
  return text === undefined ? `${start}/>` : `${start}>${escape(text)}</${tag}>`
}

/** One suite per profile, one test per operation with all its findings; without a verdict, one test with the reason. */
export const junitXml = (results: readonly Result[]): string =>
  junitDocument(
    results.map((result) => ({
      name: `schemathesis ${result.profile}`,
      classname: `schemathesis.${result.profile}`,
      durationMs: result.durationMs,
      cases: casesOf(result),
    })),
  )

function casesOf({ status, reason, perOperation, failures }: Result): TestCase[] {
  if (status === 'unavailable') return [{ name: 'run', outcome: { tag: 'skipped', message: reason ?? '' } }]
  if (reason !== undefined)
    return [{ name: 'run', outcome: { tag: 'error', type: status, message: reason, text: textsOf(failures) } }]
  // A finding about no operation of the run has a test of its own.
  const names = new Set([...Object.keys(perOperation).toSorted(), ...failures.map(({ operation }) => operation)])
  return [...names].map((name) => {
    const own = failures.filter(({ operation }) => operation === name)
    const [first] = own
    if (!first) return { name }
    const message = `${first.title}${own.length > 1 ? ` (and ${own.length - 1} more)` : ''}`
    return { name, outcome: { tag: 'failure', type: first.check, message, text: textsOf(own) } }
  })
}

const textsOf = (failures: Result['failures']): string =>
  failures.map(({ check, title, message, curl }) => [`${check}: ${title}`, message, curl].join('\n')).join('\n\n')
