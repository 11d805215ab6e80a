import { describe, expect, test } from 'vitest'
import { OPERATORS_BOOK } from '../../testing/operators-book.ts'
import { type TestedSystem } from './tested-system.ts'

/** Runs after all the other tests; the last one ends the processes. */
export function inTheEnd(tested: TestedSystem): void {
  const { allJobsDone } = tested

  describe('in the end', () => {
    test('nothing was done twice: no callback, handshake or movement is repeated', async () => {
      await allJobsDone()
      const sent = [...tested.receiver.received, ...tested.verification.received, ...tested.elsewhere.received].map(
        ({ headers }) => headers['webhook-id'],
      )
      expect(sent.length).toBeGreaterThan(200)
      expect(sent.filter((id, index) => sent.indexOf(id) !== index)).toEqual([])
      const { rows: moved } = await tested.system.database.query(
        `select reference from ${OPERATORS_BOOK} o where transfers > 1`,
      )
      expect(moved).toEqual([])
      const { rows: attempts } = await tested.system.database.query(
        'select callback_id from callback_attempts group by callback_id having count(*) > 1',
      )
      expect(attempts).toEqual([])
    })

    test('malipo doctor finds nothing', async () => {
      expect(await tested.system.malipo('doctor')).toMatchObject({ clean: true })
    })

    // The last test: it ends the processes.
    test('every process stops cleanly without an error in its log', async () => {
      expect(await tested.system.stop()).toEqual(tested.topology.roles.map(() => 0))
      const complaints = tested.system.processes
        .flatMap(({ output }) =>
          output()
            .split('\n')
            .filter((line) => line.startsWith('{')),
        )
        .filter((line) => !(JSON.parse(line) as { msg: string }).msg.startsWith('started as root'))
      expect(complaints).toEqual([])
    })
  })
}
