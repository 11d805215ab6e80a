import { expect, test } from 'vitest'
import { NEVER_COLLECTION } from '../conformance/counterparts/index.ts'
import { openWireStage } from '../conformance/wire-stage.ts'
import type { WholeAnswer } from '../testing/scripted-operator.ts'
import { daraja } from './daraja.ts'

const answer = (status: number, errorCode: string): WholeAnswer => ({ status, body: { errorCode, errorMessage: 'x' } })
/** More calls than a circuit breaker needs within a minute to open. */
const QUERIES = 40

async function afterQueriesAnswered(answers: WholeAnswer): Promise<string> {
  const stage = await openWireStage(NEVER_COLLECTION, daraja)
  try {
    const [order, another] = [stage.order(), stage.order()]
    const submitted = await stage.submit(order)
    const externalIds = submitted.answer === 'accepted' ? (submitted.externalIds ?? {}) : {}
    stage.operator.nextQuestions(...Array.from({ length: QUERIES }, () => ({ answers })))
    for (let queries = 0; queries < QUERIES; queries += 1)
      expect(await stage.query({ ...order, externalIds })).toMatchObject({ knows: 'unreachable' })
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
