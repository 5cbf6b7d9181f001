import { isIP } from 'node:net'
import * as z from 'zod'

const text = z.string().trim().min(1)

const url = (protocols: readonly string[]) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  )

const PRIVATE_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** An address, a network such as 10.0.0.0/8, or the name of a private range. */
function isProxy(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return PRIVATE_NETWORKS.includes(entry)
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const proxies = text
  .transform((value) => value.split(',').map((entry) => entry.trim()))
  .refine(
    (entries) => entries.every(isProxy),
    `must be addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8, or ${PRIVATE_NETWORKS.join(', ')}`,
  )

const MAILBOX = 'must be a mailbox such as no-reply@example.com or Desk <desk@example.com>'

const dataKey = text.regex(
  /^[A-Za-z0-9+/]{43}=$/,
  'must be 32 bytes in base64, as `openssl rand -base64 32` prints them',
)

/** Every setting that comes from the environment. Application settings live in the database; see settings/. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: text.default('127.0.0.1'),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: url(['postgres', 'postgresql']).optional(),
  FEED: text.default('auto'),
  MARKET_HOURS: z.enum(['always', 'real']).optional(),
  PUBLIC_URL: url(['http', 'https']).optional(),
  APP_MODE: z.enum(['broker', 'main']).default('broker'),
  TRUST_PROXY: proxies.optional(),
  SMTP_URL: url(['smtp', 'smtps']).optional(),
  MAIL_FROM: text.regex(/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/, MAILBOX).optional(),
  DESK_PASSWORD: text.optional(),
  SMS_URL: url(['twilio', 'https', 'http']).optional(),
  S3_URL: url(['s3'])
    .refine(
      (value) => new URL(value).pathname.length > 1,
      'must name a bucket, as in s3://key:secret@host/bucket',
    )
    .optional(),
  DATA_KEY: dataKey.optional(),
  DATA_KEY_OLD: dataKey.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
})

export type Config = {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Null: the embedded database in the data folder. */
  readonly databaseUrl: string | null
  readonly feed: string
  /** Null: simulated prices run around the clock, every other feed keeps real hours. */
  readonly marketHours: 'always' | 'real' | null
  readonly publicUrl: string | null
  readonly appMode: 'broker' | 'main'
  /** Addresses or networks whose X-Forwarded-For is believed; null: none. */
  readonly trustProxy: readonly string[] | null
  /** The server that takes mail; null: mails stay in the outbox. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** The gateway that takes text messages; null: they stay in the outbox. */
  readonly smsUrl: string | null
  /** Of the first administrator of the desk; null: made at the first start and told once. */
  readonly deskPassword: string | null
  /** The bucket that holds uploaded files; null: the data folder does. */
  readonly s3Url: string | null
  /** 32 bytes in base64 that encrypt what nobody should read in the database; null: those in the data folder. */
  readonly dataKey: string | null
  readonly dataKeyOld: string | null
  readonly logLevel: string
  /** Application settings fixed by `SETTING_<NAME>`, by name. */
  readonly fixedSettings: Readonly<Record<string, string>>
}

const FIXED_PREFIX = 'SETTING_'

/** Reads the settings of this process. The only place that looks at the environment. */
export const readEnvironment = (): Config | { readonly problem: string } => readConfig(process.env)

/** Settings from a set of variables, or one sentence that names the first wrong one. Empty means unset. */
export function readConfig(
  variables: Readonly<Record<string, string | undefined>>,
): Config | { readonly problem: string } {
  const given = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '')
  const parsed = environment.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    // Without its value: some of them hold a password, and this sentence goes to the log.
    return {
      problem: `The setting ${String(issue?.path[0] ?? '')} is wrong: ${issue?.message ?? 'not understood'}.`,
    }
  }
  const { data } = parsed
  return {
    port: data.PORT,
    host: data.HOST,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL ?? null,
    feed: data.FEED,
    marketHours: data.MARKET_HOURS ?? null,
    publicUrl: data.PUBLIC_URL ?? null,
    appMode: data.APP_MODE,
    trustProxy: data.TRUST_PROXY ?? null,
    smtpUrl: data.SMTP_URL ?? null,
    mailFrom: data.MAIL_FROM ?? 'no-reply@localhost',
    smsUrl: data.SMS_URL ?? null,
    deskPassword: data.DESK_PASSWORD ?? null,
    s3Url: data.S3_URL ?? null,
    dataKey: data.DATA_KEY ?? null,
    dataKeyOld: data.DATA_KEY_OLD ?? null,
    logLevel: data.LOG_LEVEL,
    fixedSettings: Object.fromEntries(
      given.flatMap(([name, value]) =>
        name.startsWith(FIXED_PREFIX) ? [[name.slice(FIXED_PREFIX.length).toLowerCase(), String(value)]] : [],
      ),
    ),
  }
}
