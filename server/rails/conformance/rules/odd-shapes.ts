import { expect } from 'vitest'
import { present } from '../../../domain/present.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import type { Change, Verdict } from '../counterpart.ts'
import { wireRule, type Rule } from '../rule.ts'
import type { WireStage } from '../wire-stage.ts'
import { accepted, expectUnknown, withBody } from './said-of-orders.ts'

/** A circuit breaker opens when half of at least this many calls in a minute got no reply. */
const CALLS = 24
const VERDICTS = { paid: 'COMPLETED', failed: 'FAILED' } as const satisfies Partial<Record<Verdict, string>>

async function bookedOrder(stage: WireStage) {
  const order = await accepted(stage.rail, stage.order())
  return { order, booked: present(stage.operator.orders(order.account)[0], 'the order in the book') }
}

async function expectAnswersRead(stage: WireStage): Promise<void> {
  const changes = Object.entries(stage.counterpart.words.oddAnswers)
  expect(changes).not.toEqual([])
  for (let calls = 0; calls < CALLS;)
    for (const [what, change] of changes)
      for (const [verdict, status] of Object.entries(VERDICTS)) {
        const { order } = await bookedOrder(stage)
        stage.operator.decide(order.account, verdict as Verdict)
        stage.operator.nextQuestions({ takes: (honest) => ({ ...honest, body: change(honest.body) }) })
        const known = await stage.query(order)
        expect([what, verdict, known]).toMatchObject([what, verdict, { knows: 'outcome', outcome: { status } }])
        calls += 1
      }
}

async function expectMessagesRead(stage: WireStage): Promise<void> {
  const changes = Object.entries(stage.counterpart.words.oddMessages)
  expect(changes).not.toEqual([])
  const { booked } = await bookedOrder(stage)
  for (const [what, change] of changes)
    for (const [verdict, status] of Object.entries(VERDICTS)) {
      const { received } = stage.operator.callback(booked, verdict as Verdict)
      const read = stage.adapter.readCallback({ ...received, body: changedText(received.body, change) })
      expect([what, verdict, read?.outcome?.status]).toEqual([what, verdict, status])
    }
}

const changedText = (body: string, change: Change): string => JSON.stringify(change(JSON.parse(body)))

/** One copy of the JSON for each object in it, in which that object has its first name twice. */
function withNameTwice(value: unknown): readonly string[] {
  const written = (target: number) => {
    let objects = 0
    const write = (each: unknown): string => {
      if (Array.isArray(each)) return `[${each.map(write).join(',')}]`
      if (typeof each !== 'object' || each === null) return JSON.stringify(each)
      const isTarget = objects === target
      objects += 1
      const members = Object.entries(each).map(([name, held]) => `${JSON.stringify(name)}:${write(held)}`)
      return `{${[...members, ...(isTarget ? members.slice(0, 1) : [])].join(',')}}`
    }
    return { text: write(value), objects }
  }
  return Array.from({ length: written(-1).objects }, (_, target) => written(target).text)
}

const json = (status: number, body: string): WholeAnswer => ({
  status,
  body,
  headers: { 'content-type': 'application/json' },
})
const answersTwice = ({ status, body }: WholeAnswer): readonly WholeAnswer[] =>
  withNameTwice(body).map((text) => json(status, text))

async function expectNamesOnce(stage: WireStage): Promise<void> {
  const { operator, adapter, counterpart } = stage
  await expectUnknown(stage, (honest) => present(answersTwice(withBody(honest))[0], 'an answer'), 'an order')
  const { order, booked } = await bookedOrder(stage)
  const replies =
    counterpart.lacks.polls === undefined ? answersTwice(counterpart.words.verdictMessage(booked, 'paid', {})) : []
  for (const answers of replies) {
    operator.nextQuestions({ answers })
    expect([answers.body, (await stage.query(order)).knows]).toEqual([answers.body, 'unreachable'])
    stage.clock.advance(61_000)
  }
  for (const verdict of Object.keys(VERDICTS) as Verdict[]) {
    const { received } = operator.callback(booked, verdict)
    for (const body of withNameTwice(JSON.parse(received.body)))
      expect([body, adapter.readCallback({ ...received, body })?.outcome]).toEqual([body, undefined])
  }
}

async function expectTokensOnce(stage: WireStage): Promise<void> {
  const { operator, counterpart } = stage
  operator.nextTokens(present(answersTwice(counterpart.words.token('twice', 3600))[0], 'an answer'))
  expect(await stage.submit(stage.order())).toMatchObject({ answer: 'not_sent' })
  expect(operator.submits()).toEqual([])
}

/** Shapes that differ from the operator's documentation: only the fields that decide must be right and unambiguous. */
export const ODD_SHAPES: readonly Rule[] = [
  wireRule(
    'an odd field that decides nothing delays no money and opens no circuit',
    'an operator changes its texts whenever it likes: a payment would wait for a field that nobody needs',
    ['callbacks'],
    async (open) => {
      const stage = await open()
      await expectMessagesRead(stage)
      if (stage.counterpart.lacks.query === undefined) await expectAnswersRead(stage)
    },
  ),
  wireRule(
    'an object with a duplicate name is unknown',
    'JSON parsers take the first or the last: one of the two may be false',
    ['callbacks'],
    async (open) => {
      await expectTokensOnce(await open())
      await expectNamesOnce(await open())
    },
  ),
]
