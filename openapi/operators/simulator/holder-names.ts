const GIVEN = ['Grace', 'Peter', 'Amina', 'Kofi', 'Nandi', 'Jean', 'Fatou', 'Samuel'] as const
const FAMILY = ['Auma', 'Okello', 'Mensah', 'Banda', 'Uwase', 'Traore', 'Dlamini', 'Nkosi'] as const

/** Always the same name for the same number, by its last digits. */
export function nameOf(msisdn: string) {
  const [last = 0, before = 0] = [...msisdn].map(Number).toReversed()
  return { given: GIVEN[last % GIVEN.length], family: FAMILY[before % FAMILY.length], last, before }
}
