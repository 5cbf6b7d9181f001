import { isIP } from 'node:net'
import * as z from 'zod'
import { type PasskeySite, passkeySite } from './passkey-site.ts'

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

/** The environment variables. Application settings are in the database; see app-settings.ts. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: text.default('127.0.0.1'),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: url(['postgres', 'postgresql']).optional(),
  FEED: text.default('auto'),
  MARKET_HOURS: z.enum(['always', 'real']).optional(),
  PUBLIC_URL: url(['http', 'https']).optional(),
  PASSKEY_DOMAIN: text.optional(),
  PASSKEY_ORIGINS: text.optional(),
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
  PUSH_TO_LOOPBACK: z.enum(['yes', 'no']).default('no'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
})

export type Config = {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** Null for the SQLite database in the data folder. */
  readonly databaseUrl: string | null
  readonly feed: string
  /** Null: simulated prices run around the clock, every other feed has real market hours. */
  readonly marketHours: 'always' | 'real' | null
  readonly publicUrl: string | null
  /** Where passkeys work; null where browsers offer none. */
  readonly passkeys: PasskeySite | null
  readonly appMode: 'broker' | 'main'
  /** Addresses or networks whose X-Forwarded-For is trusted; null for none. */
  readonly trustProxy: readonly string[] | null
  /** The SMTP server; null: mails stay in the outbox. */
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** The SMS gateway; null: text messages stay in the outbox. */
  readonly smsUrl: string | null
  /** The password of the desk's first administrator; null: generated at the first start and shown once. */
  readonly deskPassword: string | null
  /** The bucket for uploaded files; null: they are stored in the data folder. */
  readonly s3Url: string | null
  /** The key that encrypts secrets in the database, 32 bytes in base64; null: the key in the data folder. */
  readonly dataKey: string | null
  readonly dataKeyOld: string | null
  /** For tests: pushes may be sent to http://127.0.0.1. */
  readonly pushToLoopback: boolean
  readonly logLevel: string
  /** Application settings fixed by `SETTING_<NAME>`, by name. */
  readonly fixedSettings: Readonly<Record<string, string>>
}

const FIXED_PREFIX = 'SETTING_'

/** Reads the settings of this process; no other code reads the environment. */
export const readEnvironment = (): Config | { readonly problem: string } => readConfig(process.env)

/** Settings from a set of variables, or a message that names the first invalid one. An empty variable is unset. */
export function readConfig(
  variables: Readonly<Record<string, string | undefined>>,
): Config | { readonly problem: string } {
  const given = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '')
  const parsed = environment.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    // Without the value, which may contain a password: the message is logged.
    return {
      problem: `The setting ${String(issue?.path[0] ?? '')} is wrong: ${issue?.message ?? 'not understood'}.`,
    }
  }
  const { data } = parsed
  const passkeys = passkeySite({
    domain: data.PASSKEY_DOMAIN,
    origins: data.PASSKEY_ORIGINS,
    publicUrl: data.PUBLIC_URL ?? null,
    port: data.PORT,
  })
  if (passkeys !== null && 'problem' in passkeys) return passkeys
  return {
    passkeys,
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
    pushToLoopback: data.PUSH_TO_LOOPBACK === 'yes',
    logLevel: data.LOG_LEVEL,
    fixedSettings: Object.fromEntries(
      given.flatMap(([name, value]) =>
        name.startsWith(FIXED_PREFIX) ? [[name.slice(FIXED_PREFIX.length).toLowerCase(), String(value)]] : [],
      ),
    ),
  }
}
