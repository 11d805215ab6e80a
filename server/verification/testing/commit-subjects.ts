// Length of commit subjects; `npm run check` fails and names those that are longer.
import { spawnSync } from 'node:child_process'

const LENGTH_MAX = 72
/** The last commit before the limit: longer subjects up to here are history. */
const LIMITED_AFTER = '0b13e4d'
/** Longer ones that were published before this check. */
const PUBLISHED: readonly string[] = [
  'df06bee4b221cdf649ebaf2d3c415d8dd350b4b4',
  '634aaef58073984315c95c863fcf08251656695d',
]

const log = spawnSync('git', ['log', '--format=%H %s', `${LIMITED_AFTER}..HEAD`], { encoding: 'utf8' })
if (log.status === 0) {
  const commits = log.stdout.split('\n').map((line) => ({ id: line.slice(0, 40), subject: line.slice(41) }))
  const long = commits.filter(({ id, subject }) => subject.length > LENGTH_MAX && !PUBLISHED.includes(id))
  for (const { id, subject } of long)
    console.error(`${id.slice(0, 8)} has a subject of ${subject.length} characters: ${subject}`)
  if (long.length > 0) process.exitCode = 1
  else console.log(`${commits.length - 1} commit subjects have at most ${LENGTH_MAX} characters`)
} else console.log(`commit subjects are not checked: this copy has no history since ${LIMITED_AFTER}`)
