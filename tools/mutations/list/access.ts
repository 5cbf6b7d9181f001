import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

const SERVER = 'apps/server/src/'
const DESK_CALLS = 'packages/contract/src/desk/'

/** Mutations of a file of the server, with the path of the test file that must catch them. */
const server = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(SERVER + file, ...mutations).map((mutation) => ({ ...mutation, tests: [SERVER + test] }))

/** A call of the desk that no longer asks for a fresh second factor. `before`: the line before its declaration. */
const staleCall = (file: string, before: string, description: string): Mutation[] =>
  mutationsOf(`${DESK_CALLS}${file}.ts`, [
    `${before}\n  needsFreshFactor: true,\n`,
    `${before}\n`,
    description,
  ]).map((mutation) => ({ ...mutation, tests: [`${SERVER}desk/operators/fresh-factor.wire.test.ts`] }))

const LOG_IN = 'desk/operators/desk-login.ts'
const LOG_IN_TEST = 'desk/operators/desk-login.wire.test.ts'
const KEYS_TEST = 'desk/operators/operator-keys.wire.test.ts'
const FRESH_TEST = 'desk/operators/fresh-factor.wire.test.ts'
const PASSWORD_TEST = 'accounts/password.wire.test.ts'
const REFUSED_TEST = 'desk/refused-decisions.wire.test.ts'

/** Nobody is locked out from outside, and the second factor is set up once. */
const LOCKED_OUT: readonly Mutation[] = [
  ...server(
    LOG_IN,
    LOG_IN_TEST,
    [
      'if (await known.has(found?.id ?? NOBODY, origin))',
      'if (found === null && origin.network === name)',
      'Strangers who guess lock an operator out everywhere.',
    ],
    [
      ': ([...ofNetwork, [perNameAnywhere, name]] as const)',
      ': ofNetwork',
      'Guesses of one operator name from many networks are not limited.',
    ],
    [
      'return [[perName, `${name} ${fingerprintOf(origin)}`]] as const',
      'return []',
      "Guesses in an operator's own browser are not limited.",
    ],
    ['    known.add(row.id, origin)\n', '', "An operator's browser is known only after a restart."],
    [
      'return new Set(rows.flatMap(({ after }) => fingerprintIn(after) ?? []))',
      'return new Set<string>(rows.slice(rows.length).flatMap(({ after }) => fingerprintIn(after) ?? []))',
      "A restart forgets operators' browsers.",
    ],
    [
      "    .where('operator_id', '=', BigInt(operatorId))\n",
      '',
      'The browser of one operator is known for all of them.',
    ],
    [
      "if (refusal.rejected === 'secondFactorNeeded') return",
      'if (refusal.rejected.length === 0) return',
      'A right password without its code counts as a failed log-in.',
    ],
    [
      "if (refusal.rejected === 'secondFactorNeeded') return",
      'if (refusal.rejected.length > 0) return',
      "Wrong codes at an operator's log-in are not counted.",
    ],
  ),
  ...server(
    LOG_IN,
    KEYS_TEST,
    [
      '    if (!isEnrolled) await sessions.endAll(row.id, secretHash(token))\n',
      '',
      'Two log-ins with one password may both set up the second factor.',
    ],
    [
      '  await changeOperatorRow(within, id, { totp_secret: null })\n',
      '',
      'A second factor is set up with the secret of an earlier log-in.',
    ],
    [
      '{ password_hash: passwordHash, ...NO_KEYS }',
      '{ password_hash: passwordHash }',
      'Somebody joins twice with the same keys.',
    ],
    [
      'if (invited.confirmation_hash === confirmationHash(confirmation)) return invited',
      'if (invited.confirmation_hash !== null) return invited',
      'The invitation alone is enough to join.',
    ],
    [
      '...(tries < CONFIRMATION_TRIES ?',
      '...(tries > 0 ?',
      'Confirmations of an invitation can be tried without a limit.',
    ],
  ),
  ...server('desk/operators/operator-factor.ts', KEYS_TEST, [
    "      if (operator?.totp_confirmed_at !== null) return refuse('secondFactorOn')\n",
    '',
    'The second factor of an operator is set up twice.',
  ]),
  ...server('desk/operators/first-administrator.ts', 'desk/operators/first-administrator.test.ts', [
    'given === null ? null : await checkPassword(password, FIRST_NAME)',
    'given === password ? null : await checkPassword(password, FIRST_NAME)',
    'A weak DESK_PASSWORD is accepted.',
  ]),
  ...server(
    'platform/http/client-network.ts',
    'platform/http/client-network.test.ts',
    [
      'if (request.ip !== peer || !isInside(peer) || isIP(client) === 0) return',
      'if (isIP(client) !== 1) return',
      'Behind an unnamed proxy all visitors are counted together.',
    ],
    [
      'request.ip !== peer || !isInside(peer) ||',
      'request.ip !== peer ||',
      'A visitor without a proxy chooses the network they are counted by.',
    ],
    ['      warn(\n', '      String(\n', 'An unnamed proxy is not reported in the log.'],
  ),
  ...server('platform/http/api.ts', 'accounts/login.wire.test.ts', [
    'network: clientNetworkOf(request)',
    'network: request.ip',
    'Behind an unnamed proxy wrong passwords of one visitor stop all the others.',
  ]),
  ...server('platform/http/api.ts', LOG_IN_TEST, [
    'network: clientNetworkOf(request)',
    'network: request.ip',
    'Behind an unnamed proxy wrong passwords of a stranger stop every operator.',
  ]),
  ...server('deployment/services.ts', LOG_IN_TEST, [
    '    proxies.see(request)\n',
    '',
    'Operators do not see that an unnamed proxy forwards.',
  ]),
]

/** What moves money or rights asks for a code of the last five minutes. */
const FRESH_FACTOR: readonly Mutation[] = [
  ...staleCall('money-cases', "  permission: 'decideDeposit',", 'A credit needs no fresh second factor.'),
  ...staleCall(
    'money-cases',
    "  path: '/desk/api/payments/pay-withdrawal',\n  permission: 'decideWithdrawal',",
    'A payment needs no fresh second factor.',
  ),
  ...staleCall('waiting', "  permission: 'decideApproval',", 'An approval needs no fresh second factor.'),
  ...staleCall(
    'operators',
    "  path: '/desk/api/operators/change',\n  permission: 'changeOperators',",
    'A change of a role needs no fresh second factor.',
  ),
  ...staleCall(
    'payment-setup',
    "  path: '/desk/api/payments/setup/channel',\n  permission: 'editPaymentSetup',",
    'A new receiving account needs no fresh second factor.',
  ),
  ...staleCall(
    'settings',
    "  permission: 'changeSettings',",
    'A setting about money needs no fresh second factor.',
  ),
  ...mutationsOf(`${DESK_CALLS}desk-endpoint.ts`, [
    'FRESH_FACTOR_MS = 5 * 60_000',
    'FRESH_FACTOR_MS = 6 * 60_000',
    'A second factor stays fresh for more than five minutes.',
  ]).map((mutation) => ({ ...mutation, tests: [SERVER + FRESH_TEST] })),
  ...server('desk/desk-api.ts', FRESH_TEST, [
    'at - factorAt < FRESH_FACTOR_MS',
    'at >= factorAt',
    'A second factor stays fresh for the whole session.',
  ]),
  ...server('desk/operators/desk-sessions.ts', FRESH_TEST, [
    ".set({ factor_at: BigInt(Math.floor(now())) })\n        .where('token_hash', '=', tokenHash)",
    '.set({ factor_at: BigInt(Math.floor(now())) })',
    'A code given in one session makes all sessions fresh.',
  ]),
  ...server(
    'desk/operators/operator-routes.ts',
    FRESH_TEST,
    [
      "(await checkCode(session, input.code, 'password'))",
      '(await factor.refusalOf(session.operator, input.code))',
      'Codes are guessed without a limit by changes of the own password.',
    ],
    [
      'withAttemptLimits([[codeTries, String(operator.id)]], () =>\n      isPasskeyCode(code)',
      'withAttemptLimits([], () =>\n      isPasskeyCode(code)',
      'Codes of the second factor are guessed without a limit in a session.',
    ],
  ),
]

/** A forgotten password: few codes a day, which strangers cannot use up. */
const NEW_PASSWORD: readonly Mutation[] = [
  ...server(
    'accounts/verification-codes.ts',
    'accounts/verification-codes.test.ts',
    [
      'RESET_CODES_A_DAY = 6',
      'RESET_CODES_A_DAY = 480',
      'As many codes for a new password are sent a day as twenty an hour.',
    ],
    [
      '    if (hasPauses && last !== undefined && at - last < pauseAfter(times.length)) return false\n',
      '',
      'Codes for a new password are sent without a pause.',
    ],
    [
      'PAUSE_MS * 2 ** (count - 1)',
      'PAUSE_MS * count ** 0',
      'The pause between codes for a new password does not grow.',
    ],
    ['withLock(() => take(key))', 'take(key)', 'Two requests at once get two codes for a new password.'],
    [
      'const hashOf = (key: string) => secretHash(`${name} ${key}`)',
      'const start = randomUUID()\n  const hashOf = (key: string) => secretHash(`${name} ${key} ${start}`)',
      'A restart begins the daily count of codes again.',
    ],
    [
      "      .where('key_hash', '=', hashOf(key))\n",
      '',
      'The codes of one account use up those of all accounts.',
    ],
  ),
  ...server('accounts/verification-codes.ts', 'accounts/registration.wire.test.ts', [
    'ATTEMPTS_MAX = 5',
    'ATTEMPTS_MAX = 500',
    'A verification code can be guessed five hundred times.',
  ]),
  ...server('accounts/verification-codes.ts', PASSWORD_TEST, [
    'target: place === null ? target : secretHash(`${target} ${place}`)',
    'target: place === null ? target : target.slice(0)',
    "Strangers replace the owner's code for a new password and use up its attempts.",
  ]),
  ...server(
    'accounts/registration.ts',
    PASSWORD_TEST,
    [
      'if (place !== null) return (await resets.isFresh(key)) || resets.take(key)\n    if (!(await perAddress(network)) || !(await perTarget(`reset ${target}`)))',
      'if (!(await perAddress(network)) || !(await resets.take(`any ${target}`)))',
      'Strangers who request codes keep the owner from a new password.',
    ],
    [
      'return (await resets.take(key)) && resetsOfNetwork.take(network)',
      'return resets.take(key)',
      'One network gets codes for new passwords without a daily limit.',
    ],
    [
      '    if (!(await resetsOfNetwork.hasLeft(network))) return false\n',
      '',
      'A network without codes left uses up those of every account.',
    ],
  ),
  ...server('accounts/password-routes.ts', PASSWORD_TEST, [
    'const counting = place === null ? network : codeSlot(target, place).target',
    'const counting = network',
    'Wrong codes of strangers behind the same address keep the owner from a new password.',
  ]),
  ...server('platform/security/known-logins.ts', PASSWORD_TEST, [
    'return logins.some(({ address }) => networkOf(address) === origin.network)',
    'return logins.some(({ address }) => address === origin.device)',
    'A new browser in the network of the owner counts as a stranger.',
  ]),
]

/** Secrets stay out of addresses, logs and files that others can read. */
const SECRETS: readonly Mutation[] = [
  ...server('platform/http/api.ts', 'platform/http/log.wire.test.ts', [
    "asObject(method === 'GET' || method === 'HEAD' ? query : body)",
    "({ ...asObject(query), ...asObject(method === 'GET' ? null : body) })",
    'A password in the address of a POST logs in.',
  ]),
  ...server('platform/http/log.ts', 'platform/http/log.wire.test.ts', [
    'url: withoutQuery(url)',
    'url: url === "" ? withoutQuery(url) : url',
    'The log contains queries.',
  ]),
  ...server(
    'platform/database/owner-only.ts',
    'platform/database/owner-only.test.ts',
    ['OWNER_ONLY = 0o600', 'OWNER_ONLY = 0o644', 'Everybody on the machine can read the database.'],
    [
      '  if (existsSync(file)) return keepOwnerOnly(file)\n',
      '  if (existsSync(file)) return\n',
      'The database of an earlier release stays readable for everybody.',
    ],
  ),
  ...server(
    'accounts/wiring.ts',
    'accounts/desk/closing.wire.test.ts',
    [
      "      if (password !== null) return refuse('demoHasNoPassword', { field: 'password' })\n",
      '',
      'Closing a demo account accepts any password as if it had checked it.',
    ],
    [
      "return authCode === null ? null : refuse('demoHasNoPassword', { field: 'auth_code' })",
      'return authCode === "" ? refuse("demoHasNoPassword") : null',
      'Closing a demo account accepts any code as if it had checked it.',
    ],
    [
      'if (!user.isDemo) return checkEither(user.id, password, authCode, purpose)',
      'if (!user.isDemo) return null',
      'A real account is closed without its password.',
    ],
  ),
  ...server('accounts/own-data/export.ts', 'accounts/desk/closing.wire.test.ts', [
    "    const barrier = await checkProof(user, input, 'dataCopy')\n    if (barrier) return barrier\n",
    "    await checkProof(user, input, 'dataCopy')\n",
    'The data download of a demo account says nothing of a password that it did not check.',
  ]),
]

/** Files and feeds that other programs read. */
const EXPORTS: readonly Mutation[] = [
  ...server(
    'platform/http/csv.ts',
    'platform/http/csv.test.ts',
    [
      "{ record_delimiter: 'windows', quoted_match: LINE_END }",
      "{ record_delimiter: 'windows' }",
      'A lone line feed in a cell breaks the row of a CSV file.',
    ],
    [
      'LINE_END = /[\\n\\r\\v\\f\\u0085\\u2028\\u2029]/u',
      'LINE_END = /[\\n\\r]/u',
      'A cell with a rare line break is not quoted in a CSV file.',
    ],
    [
      '/(?<=^|[\\n\\r\\v\\f\\u0085\\u2028\\u2029])(?=',
      '/(?<=^)(?=',
      'A later line of a cell begins with a formula.',
    ],
    [
      '    yield stringify(rows as CsvRow[], {\n      ...OPTIONS,\n      columns: [...columns],\n      cast: { string: withoutFormulas },',
      '    yield stringify(rows as CsvRow[], {\n      ...OPTIONS,\n      columns: [...columns],\n      cast: { string: (text: string) => (text === "" ? withoutFormulas(text) : text) },',
      'A spreadsheet evaluates cells as formulas.',
    ],
  ),
  ...server(
    'content/news/rss.ts',
    'content/news/rss.wire.test.ts',
    [
      'title: asHtml(withoutInvalid(title))',
      'title: withoutInvalid(title)',
      'A title in the RSS feed decodes to live markup.',
    ],
    [
      'description: asHtml(withoutInvalid(summary))',
      'description: withoutInvalid(summary)',
      'A description in the RSS feed decodes to live markup.',
    ],
    [
      "    .replace(/&(?=#|[a-z]{2})/gi, '&amp;')\n",
      '',
      'An escaped tag in a title of the RSS feed becomes live markup.',
    ],
  ),
]

/** Invitations and the addresses of news feeds. */
const INVITATIONS_AND_FEEDS: readonly Mutation[] = [
  ...server(
    'accounts/users.ts',
    'accounts/invitations.wire.test.ts',
    [
      "return status === 'active' || status === 'closeOnly' ? id",
      "return status === 'active' || status === 'closeOnly' || status === 'frozen' ? id",
      'The invitation code of a frozen account is accepted.',
    ],
    [
      "return status === 'active' || status === 'closeOnly' ? id",
      "return status === 'active' || status === 'closeOnly' || status === 'closed' ? id",
      'The invitation code of a closed account is accepted.',
    ],
  ),
  ...server('content/desk/news-feeds.ts', 'content/desk/news-feeds.wire.test.ts', [
    'address.length > ADDRESS_LENGTH || !(await mayBeKept(address))',
    'address.length > ADDRESS_LENGTH || (address === "" && !(await mayBeKept(address)))',
    'The internal address of a news feed is refused only when it is fetched.',
  ]),
  ...server('content/news/import/fetch-public.ts', 'content/news/import/fetch-public.test.ts', [
    '(await addressesOf(url.hostname)).every(isPublicAddress)',
    '(await addressesOf(url.hostname)).some(isPublicAddress)',
    'A news feed whose name has an internal address is saved.',
  ]),
]

/** Refused decisions name the field, are recorded and change nothing. */
const BAD_INPUT: readonly Mutation[] = [
  ...mutationsOf('packages/core/src/payments/decide-case.ts', [
    "  if (!isValidAmount(absolute(amount))) return reject('amountInvalid', { amount, field: 'amount' })\n",
    '',
    'An adjustment of zero opens a case.',
  ]).map((mutation) => ({ ...mutation, tests: [SERVER + REFUSED_TEST] })),
  ...server('desk/desk-api.ts', 'desk/bad-input.wire.test.ts', [
    '    if (UNDECIDED.has(refusal.rejected) || auditLog.hasRefusal(refusal)) return\n',
    '    if (!UNDECIDED.has(refusal.rejected) || auditLog.hasRefusal(refusal)) return\n',
    'A change refused for its form leaves no audit entry.',
  ]),
  ...server('desk/audit-log/audit-log.ts', REFUSED_TEST, [
    '    refusals.add(refusal)\n',
    '',
    'A refused change is recorded twice.',
  ]),
  ...server('desk/audit-log/engine-commands.ts', REFUSED_TEST, [
    'if (isRefusal(outcome) && !isUndecided(outcome)) await log.recordRefusal(auditEntry, outcome)',
    'if (isRefusal(outcome) && isUndecided(outcome)) await log.recordRefusal(auditEntry, outcome)',
    'The audit entry of a refused decision does not name its case.',
  ]),
  ...server('desk/approvals/approvals.ts', REFUSED_TEST, [
    'if (!(await claimApproval(queries, row, decision))) return',
    'if (!(await claimApproval(queries, row, decision)) && decision.reason === "") return',
    'Two operators who approve at once both carry out the change.',
  ]),
  ...server('desk/approvals/approvals.ts', REFUSED_TEST, [
    'return row.request_digest === request.digest\n',
    'return row.request_digest !== null\n',
    'A request id that was used for another change hides the new one.',
  ]),
  ...server(LOG_IN, REFUSED_TEST, [
    "    await auditLog.recordRefusal({ operator, act: 'ownAccess', subject: `operator:${found.id}` }, refusal)\n",
    '',
    'A log-in with a used code leaves no audit entry.',
  ]),
  ...server('platform/security/second-factor.ts', REFUSED_TEST, [
    'afterTimeStep: isAhead ? 0 : lastStep,',
    'afterTimeStep: isAhead ? lastStep : 0,',
    'A code of the second factor is accepted twice.',
  ]),
  ...mutationsOf('packages/core/src/operators/operators.ts', [
    "each.status === 'approved' && each.approvedBy === operatorId",
    "each.status === 'approved' && each.approvedBy === -operatorId",
    'A payment counts the approval of an operator who was demoted meanwhile.',
  ]).map((mutation) => ({ ...mutation, tests: [SERVER + REFUSED_TEST] })),
  ...server('accounts/desk/user-actions.ts', REFUSED_TEST, [
    "        .where('credit_score', '=', BigInt(before))\n",
    '',
    'A form that shows an old credit score replaces the new one.',
  ]),
  ...server('accounts/desk/user-actions.ts', 'accounts/desk/user-actions.wire.test.ts', [
    "    if (now.status !== before) return refuse('formOutdated')\n",
    '',
    'A form that shows an old status of an account replaces the new one.',
  ]),
  ...server('content/desk/news-feeds.ts', 'content/desk/news-feeds.wire.test.ts', [
    "    .where('version', '=', BigInt(version))\n",
    '',
    'A form that shows an old news feed replaces the new one.',
  ]),
  ...server('settings/desk-settings.ts', 'settings/desk-settings.wire.test.ts', [
    "return isAsItWas ? null : refuse('formOutdated')",
    "return isAsItWas || value === was ? null : at > 0 ? null : refuse('formOutdated')",
    'A form that shows an old setting replaces the new one.',
  ]),
  ...server('market/desk/terms-draft.ts', 'market/desk/terms.wire.test.ts', [
    'return key === draft.formKey ? change :',
    'return key !== null ? change :',
    'A form that shows old terms replaces the new ones.',
  ]),
  ...server('desk/operators/operator-changes.ts', 'desk/operators/operators.wire.test.ts', [
    'if (now && before && (now.role !== before.role || now.isOn !== before.isOn))',
    'if (now && before && now.role === null)',
    'A change of a role is approved although the role has changed since.',
  ]),
]

/** Mutations of access to the desk and to accounts, of exports, and of refusals. */
export const ACCESS_MUTATIONS: readonly Mutation[] = [
  ...LOCKED_OUT,
  ...FRESH_FACTOR,
  ...NEW_PASSWORD,
  ...SECRETS,
  ...EXPORTS,
  ...INVITATIONS_AND_FEEDS,
  ...BAD_INPUT,
]
