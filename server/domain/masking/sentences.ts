import { MASK } from './named-values.ts'

// Secrets in sentences and addresses, where no field name marks them. In the languages of the payment page: operators
// and merchants write in these.

const OTP_WORD = String.raw`otp|m?pin|cv[cv]2?|pass ?code|2fa code|one[- ]time (?:pass(?:word|code)|pin|code)|(?:verification|security|activation|sms|login) code|code (?:secret|confidentiel|pin)|c[oó]digo|(?:namba|neno) ya siri|neno la siri|nywila|password|mot de passe|senha`
/** `OTP for 0772000123 is`, `PIN you entered`, `PIN yako ni`. */
const BETWEEN_WORDS = String.raw`(?: (?:code|number|no\.?|is|was|of|for|to|sent|(?:you )?(?:have )?entered|provided|received|yako|ni|est|é))`
const PHONE_BETWEEN = String.raw`(?: \+?\d[\d ()-]{6,16}\d)?`
/** Punctuation and tags. */
const SIGNS = String.raw`(?:[\s:=#"'“‘«([*,;|\u2010-\u2015\u2190-\u21ff-]|<[^<>]{1,40}>|->){0,6}`
/** In one piece or in groups. */
const OTP = String.raw`\d(?:[ -]?\d){2,9}\b`
const OTP_BEHIND = new RegExp(
  String.raw`(\b(?:${OTP_WORD})${BETWEEN_WORDS}{0,3}${PHONE_BETWEEN}${BETWEEN_WORDS}{0,2}${SIGNS})${OTP}`,
  'gi',
)
/** `OTP is A1B2C3`: letters mixed with digits. */
const OTP_WITH_LETTERS = new RegExp(
  String.raw`(\b(?:${OTP_WORD})(?: (?:code|is|was|ni|est|é)){0,2}[\s:=-]{1,3}["'“‘([]?)(?=[a-z]{1,7}\d|\d{1,7}[a-z])[a-z\d]{4,10}\b`,
  'gi',
)
const OTP_BEFORE = new RegExp(
  String.raw`\b${OTP}(?= is (?:your|the) (?:[\w-]{1,20} ){0,2}(?:${OTP_WORD}|code)\b)`,
  'gi',
)
/** `Your code is 482913`, `enter 482913 to confirm`: other codes are named after what they are for. */
const OTP_AFTER_VERB = /(?<=\byour code is |\b(?:use|enter)(?: the)?(?: code)? )\d{4,8}\b(?! ?[A-Z]{3}\b)/gi

/** The word names a secret only if digits follow: `password expired` contains none. */
const SECRET_BEHIND =
  /(\b(?:pass(?:word|phrase)|token|secret|bearer|(?:api|access|private|secret|signing|subscription|consumer) key|mot de passe|senha|palavra-passe|nywila|neno la siri)(?: (?:is|was|used|entered|est|é|ni))?[\s:=-]{1,4}["'“‘([]?)(?=[^\s"']{0,60}\d)[^\s"'<>()[\]{},;]{6,200}/gi

/** `postgres://user:password@host`. */
const LOGIN_IN_URL = /(?<=:\/\/)[^\s/?#@"'<>\\]{1,200}(?=@)/g

/** A run of 40 characters is longer than a UUID; words alone, however long, are no token, and neither is a trace. */
const LONG_RUN = /[\w+=.-]{40,}/g
const isToken = (run: string): boolean => /\d/.test(run) && !/^\d\d-[\da-f]{32}-[\da-f]{16}-\d\d$/.test(run)
/** A path has slashes too, and consists of words. */
const LONG_BASE64 = /[A-Za-z0-9+/]{40,}={0,2}/g
const CHANGE_OF_KIND = /(?:(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z])/g
const CHANGES_OF_WORDS = 0.25

export const maskSecretsInSentences = (text: string): string =>
  text
    .replace(LOGIN_IN_URL, MASK)
    .replace(LONG_BASE64, (run) =>
      (run.match(CHANGE_OF_KIND)?.length ?? 0) > run.length * CHANGES_OF_WORDS ? MASK : run,
    )
    .replace(LONG_RUN, (run) => (isToken(run) ? MASK : run))
    .replace(OTP_BEHIND, `$1${MASK}`)
    .replace(OTP_WITH_LETTERS, `$1${MASK}`)
    .replace(OTP_BEFORE, MASK)
    .replace(OTP_AFTER_VERB, MASK)
    .replace(SECRET_BEHIND, `$1${MASK}`)
