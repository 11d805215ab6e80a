import { expect, test } from 'vitest'
import { darajaCollection } from '../conformance/counterparts/daraja.ts'
import { openWireStage } from '../conformance/wire-stage.ts'
import type { WholeAnswer } from '../testing/scripted-operator.ts'
import { daraja } from './daraja.ts'

const answer = (status: number, errorCode: string): WholeAnswer => ({ status, body: { errorCode, errorMessage: 'x' } })
/** More than the calls of a minute that a circuit judges by. */
const QUERIES = 40

async function afterQueriesAnswered(answers: WholeAnswer): Promise<string> {
  const stage = await openWireStage(darajaCollection, daraja)
  try {
    const [order, another] = [stage.order(), stage.order()]
    const submitted = await stage.submit(order)
    const theirs = submitted.answer === 'accepted' ? (submitted.theirs ?? {}) : {}
    stage.operator.nextQuestions(...Array.from({ length: QUERIES }, () => ({ answers })))
    for (let queries = 0; queries < QUERIES; queries += 1)
      expect(await stage.ask({ ...order, theirs })).toMatchObject({ knows: 'unreachable' })
    return (await stage.submit(another)).answer
  } finally {
    await stage.close()
  }
}

test.each([
  [200, '500.001.1001'],
  [500, '500.001.1001'],
])('queries in flight with HTTP %i and %s open no circuit', async (status, code) => {
  expect(await afterQueriesAnswered(answer(status, code))).toBe('accepted')
})

test('queries that meet a fault of the operator do open the circuit', async () => {
  expect(await afterQueriesAnswered(answer(500, '500.003.1001'))).toBe('not_sent')
})
