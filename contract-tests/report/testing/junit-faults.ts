import { SaxesParser } from 'saxes'

/** What readers of JUnit XML accept of one element. */
interface ElementModel {
  readonly within: string
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly text?: true
}

/** Common to Jenkins' schema (junit-10.xsd of its xUnit plugin) and to what GitLab's parser reads. */
const MODELS: Readonly<Record<string, ElementModel>> = {
  testsuites: { within: '', required: [], optional: ['name', 'time', 'tests', 'failures', 'errors', 'disabled'] },
  testsuite: {
    within: 'testsuites',
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['skipped', 'time', 'timestamp', 'hostname', 'id', 'package', 'file'],
  },
  testcase: { within: 'testsuite', required: ['classname', 'name'], optional: ['time', 'file'] },
  failure: { within: 'testcase', required: ['message'], optional: ['type'], text: true },
  error: { within: 'testcase', required: ['message'], optional: ['type'], text: true },
  skipped: { within: 'testcase', required: ['message'], optional: ['type'] },
  'system-out': { within: 'testsuite', required: [], optional: [], text: true },
}
const OUTCOMES = ['failure', 'error', 'skipped'] as const
const FORMS: Readonly<Record<string, RegExp>> = { time: /^\d+(\.\d{1,3})?$/, tests: /^\d+$/, failures: /^\d+$/ }

interface ReadElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadElement[]
}

/** Everything that a reader would refuse, misread or lose; empty for a good file. */
export function junitFaults(xml: string): string[] {
  const faults: string[] = []
  const parser = new SaxesParser()
  const open: ReadElement[] = []
  parser.on('error', ({ message }) => faults.push(message))
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [] }
    faults.push(...faultsOf(element, open.at(-1)?.name ?? ''))
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const { name = '' } = open.at(-1) ?? {}
    if (text.trim() !== '' && MODELS[name]?.text !== true) faults.push(`${name} has a text`)
  })
  parser.on('closetag', ({ name }) => {
    const element = open.pop()
    if (element && name === 'testsuite') faults.push(...faultsWithin(element))
  })
  parser.write(xml).close()
  return faults
}

function faultsOf({ name, attributes }: ReadElement, parent: string): string[] {
  const model = MODELS[name]
  if (!model) return [`there is no element ${name}`]
  return [
    ...(model.within === parent ? [] : [`${name} is within ${parent}`]),
    ...model.required.filter((each) => !attributes[each]).map((each) => `${name} has no ${each}`),
    ...Object.entries(attributes).flatMap(([each, value]) => {
      if (![...model.required, ...model.optional].includes(each)) return [`${name} has ${each}`]
      return FORMS[each]?.test(value) === false ? [`${name} has ${each}="${value}"`] : []
    }),
  ]
}

/** Readers count by themselves, keep one outcome of a test case, and one test case of a name. */
function faultsWithin({ attributes, children }: ReadElement): string[] {
  const cases = children.filter(({ name }) => name === 'testcase')
  const outcomesOf = (element: ReadElement) =>
    OUTCOMES.filter((each) => element.children.some(({ name }) => name === each))
  const names = new Set(cases.map((each) => `${each.attributes['classname']} ${each.attributes['name']}`))
  const count = (outcome: (typeof OUTCOMES)[number]) =>
    cases.filter((each) => outcomesOf(each).includes(outcome)).length
  const counts = { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') }
  return [
    ...(names.size < cases.length ? ['two test cases have one name'] : []),
    ...cases.filter(({ children }) => children.length > 1).map((each) => `${each.attributes['name']} has 2 outcomes`),
    ...Object.entries(counts).flatMap(([each, number]) =>
      attributes[each] === String(number) ? [] : [`${each}="${attributes[each]}" of ${number}`],
    ),
  ]
}
