import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

const CORE = 'packages/core/src/'
const SERVER = 'apps/server/src/'
const WALK = `${SERVER}desk/approvals/one-operator.wire.test.ts`
const TABLE = `${SERVER}desk/approvals/two-operators.wire.test.ts`

/** Mutations of a file, with the test file that must catch them. */
const testedBy = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(file, ...mutations).map((mutation) => ({ ...mutation, tests: [test] }))

/** The sums of 24 hours: what one operator may credit alone. */
const SUMS: readonly Mutation[] = [
  ...testedBy(
    `${CORE}operators/operators.ts`,
    `${CORE}operators/operators.test.ts`,
    [
      'sum((each) => each.accountId === proposed.accountId) > fourEyesLimit',
      'sum(() => false) > fourEyesLimit',
      'A sum split into several credits of an account needs no second operator.',
    ],
    [
      'sum((each) => each.accountId === proposed.accountId) > fourEyesLimit',
      'sum((each) => each.accountId === proposed.accountId) >= fourEyesLimit',
      'A credit of exactly the limit of an account needs two operators.',
    ],
    [
      'sum((each) => each.operatorId === by.id) > fourEyesOperatorLimit',
      'sum(() => false) > fourEyesOperatorLimit',
      'One operator may credit any sum in parts to many accounts.',
    ],
    [
      'sum((each) => each.operatorId === by.id) > fourEyesOperatorLimit',
      'sum((each) => each.operatorId === by.id) >= fourEyesOperatorLimit',
      'A credit of exactly the limit of an operator needs two operators.',
    ],
    [
      'new Map<number, bigint>([[proposed.caseId, absolute(proposed.amount)]])',
      'new Map<number, bigint>()',
      'The sum leaves out the case at hand.',
    ],
    [
      'decision.at <= proposed.at - SUM_WINDOW_MS',
      'decision.at < proposed.at - SUM_WINDOW_MS',
      'A credit of exactly 24 hours ago still counts.',
    ],
  ),
  ...testedBy(`${CORE}operators/evolve-operators.ts`, `${CORE}operators/operators.test.ts`, [
    'SUM_WINDOW_MS = 24 *',
    'SUM_WINDOW_MS = 12 *',
    'A credit counts for only 12 hours.',
  ]),
  ...testedBy(
    `${CORE}payments/evolve-case.ts`,
    `${CORE}operators/operators.test.ts`,
    [
      'return recordDecision(state, { at, caseId: id, accountId, destination, operatorId, amount })',
      'return',
      'An approved payout does not count in the sums.',
    ],
    [
      '      closeCase(state, id)\n      return noteProtection(',
      '      closeCase(state, id)\n      state.recentCreditsAndPayouts.splice(0, Infinity, ...state.recentCreditsAndPayouts.filter(({ caseId }) => caseId !== id))\n      return noteProtection(',
      'A payout that ends otherwise is subtracted from the sums.',
    ],
    [
      'return recordDecision(state, { at, caseId: id, accountId, destination, operatorId, amount })',
      "if (event.type === 'withdrawalApproved')\n        recordDecision(state, { at, caseId: id, accountId, destination, operatorId, amount })\n      return",
      'A payout counts for its approver and not for its payer.',
    ],
    [
      'for (const operatorId of event.operators ?? [])',
      'for (const operatorId of (event.operators ?? []).slice(0, 1))',
      'A credit counts only for the first of its two operators.',
    ],
  ),
  ...testedBy(
    `${CORE}payments/decide-case.ts`,
    `${CORE}operators/operators.test.ts`,
    [
      'checkCreditLimits(state, by, { at, caseId, accountId, destination: null, amount }) ?? [',
      '[',
      'The engine lets one operator credit any sum.',
    ],
    [
      "  if (by.id === askedBy) return reject('sameOperator')\n  return operators",
      '  return operators',
      'A small adjustment is approved by its requester.',
    ],
    [
      '        ...(hasOperatorRules(state) && { operators: [requested.askedBy, by.id] }),\n',
      '',
      'An adjustment does not count in the sums.',
    ],
  ),
]

/** An approved withdrawal: paying, and two operators to end it otherwise. */
const PAYING: readonly Mutation[] = [
  ...testedBy(
    `${CORE}payments/decide-case.ts`,
    `${CORE}operators/operators.test.ts`,
    [
      "const refused = held.status === 'held' ? null : checkTwoOperators(state, by)",
      'const refused = null',
      'One operator rejects a withdrawal that a colleague may have paid.',
    ],
    [
      "const refused = held.status === 'held' ? null : checkTwoOperators(state, by)",
      "const refused = held.status === 'paying' ? checkTwoOperators(state, by) : null",
      'One operator rejects an approved withdrawal before its payment is started.',
    ],
    [
      "? [{ type: 'withdrawalPaying' as const, ...payoutEventFields(held, by) }]",
      '? []',
      'A withdrawal is paid without the journal of who began to pay it.',
    ],
    [
      "if (status === 'held') return reject('withdrawalNotApproved', { caseId: id })",
      '',
      'A withdrawal is paid without an approval.',
    ],
    [
      "  if (held.status === 'paying') return reject('caseEnded', { caseId })\n",
      '',
      'A payment is started twice.',
    ],
    [
      "  if (held.status !== 'held') return reject('withdrawalApproved', { caseId })\n  const refused = state",
      '  const refused = state',
      'A withdrawal is approved again, so that its first approver may pay it.',
    ],
  ),
  ...testedBy(`${CORE}operators/operators.ts`, `${CORE}operators/operators.test.ts`, [
    "each.status === 'approved' && each.approvedBy",
    "each.status !== 'held' && each.approvedBy",
    'A withdrawal that is being paid returns to its owner when its approver is switched off.',
  ]),
]

/** Who counts as a second operator. */
const SECOND_OPERATOR: readonly Mutation[] = [
  ...testedBy(
    `${CORE}operators/operators.ts`,
    `${CORE}operators/operators.test.ts`,
    [
      'standing.isActive && standing.hasJoined && standing.role === role',
      'standing.hasJoined && standing.role === role',
      'An operator who was switched off still counts.',
    ],
    [
      'standing.isActive && standing.hasJoined && standing.role === role',
      'standing.isActive && standing.hasJoined',
      'An operator who was demoted still counts in the former role.',
    ],
    [
      'standing.isActive && standing.hasJoined && standing.role === role',
      'standing.isActive && standing.role === role',
      'An invited operator counts before they have joined.',
    ],
    [
      '(by.second === null || isInRole(state, by.second))',
      'by.second !== undefined',
      'A second operator who was switched off still counts.',
    ],
    [
      "if (by.second !== null && !isConfirmed(by)) return reject('sameOperator')",
      '',
      'The engine accepts the same operator twice.',
    ],
    [
      "      return [{ type: 'withdrawalApprovalVoided', caseId, accountId }]\n",
      '      return []\n',
      'The approval of an operator who was switched off stays valid.',
    ],
    [
      "    if (each.kind === 'adjustment' && each.askedBy === operatorId)",
      "    if (each.kind === 'adjustment' && each.askedBy === -1)",
      'The adjustment of an operator who was switched off is valid again once they return.',
    ],
    [
      "if (by.second === null) return reject('secondOperatorNeeded')",
      '',
      'One administrator gives roles alone.',
    ],
    [
      "if (by.second.id === operatorId) return reject('sameOperator')",
      '',
      'An operator confirms their own role.',
    ],
    [
      "if (!SUPERVISING_ROLES.includes(by.second.role)) return reject('operatorNotEntitled')",
      '',
      'An operator of any role confirms the role of another.',
    ],
    [
      'before.role === role && !isActive',
      '!isActive',
      'One operator changes a role by switching its owner off.',
    ],
    [
      'isActive && hasJoined && SUPERVISING_ROLES.includes(role),',
      'isActive && SUPERVISING_ROLES.includes(role),',
      'An invitation alone ends single-operator mode.',
    ],
    [
      'isActive && hasJoined && SUPERVISING_ROLES.includes(role),',
      'isActive && hasJoined,',
      'Single-operator mode ends without a second operator who may decide.',
    ],
    [
      'hasOperatorRules(state) && !state.hasSecondOperator ?',
      'hasOperatorRules(state) && state.mayPayAlone && !state.hasSecondOperator ?',
      'The only operator of a fresh deployment credits and pays.',
    ],
    [
      'mayPayAlone: isAlone && holdsRealMoney(state)',
      'mayPayAlone: isAlone',
      'The only operator of a fresh deployment may pay withdrawals.',
    ],
    [
      'mayPayAlone: isAlone && holdsRealMoney(state)',
      'mayPayAlone: false',
      'After an upgrade with one operator nobody gets their money back.',
    ],
    ['effectiveAt: at + RECOVERY_NOTICE_MS', 'effectiveAt: at', 'A recovery takes effect at once.'],
    ['at < effectiveAt + RECOVERY_NOTICE_MS', 'at < Infinity', 'The keys of a recovery never expire.'],
    [
      'role: known?.role ?? role,\n      effectiveAt',
      'role,\n      effectiveAt',
      'A recovery raises the role of an operator.',
    ],
  ),
  ...testedBy(`${CORE}operators/evolve-operators.ts`, `${CORE}operators/operators.test.ts`, [
    '      state.operators.set(operatorId, { role, isActive, hasJoined })\n      return',
    '      state.operators.set(operatorId, { role, isActive, hasJoined })\n      if (!isActive) state.hasSecondOperator = false\n      return',
    'Single-operator mode returns when the second operator is switched off.',
  ]),
  ...testedBy(`${CORE}payments/decide-case.ts`, `${CORE}operators/operators.test.ts`, [
    'if (state.mayPayAlone && !state.hasSecondOperator) return null',
    'if (state.mayPayAlone) return null',
    'One operator pays alone after the second one has joined.',
  ]),
]

/** Deposits in their own currency: amount, currency, rate and credit. */
const SENT_MONEY: readonly Mutation[] = [
  ...testedBy(
    `${CORE}payments/deposit-rate.ts`,
    `${CORE}payments/deposit-rate.test.ts`,
    [
      'credited: amountAtRate(claim.amount, rate),',
      'credited: amountAtRate(claim.amount, powerOfTen(RATE_DECIMALS)),',
      'A thousand euros are credited as a thousand dollars.',
    ],
    [
      'const rate = fixedRate ?? (arrivedAt < at ? claim.rate : mid?.rate)',
      'const rate = fixedRate ?? claim.rate ?? mid?.rate',
      'An operator states the rate of money that arrives now.',
    ],
    [
      'const rate = fixedRate ?? (arrivedAt < at ? claim.rate : mid?.rate)',
      'const rate = arrivedAt < at ? claim.rate : (fixedRate ?? mid?.rate)',
      'An operator states another rate than the fixed one of the channel.',
    ],
    [
      'if (arrivedAt < openedAt || arrivedAt > at)',
      'if (arrivedAt > at)',
      'Money arrives before its report, so that an operator picks the rate.',
    ],
    [
      'if (arrivedAt < openedAt || arrivedAt > at)',
      'if (arrivedAt < openedAt)',
      'Money arrives in the future.',
    ],
    ['* 100n > mid.rate', '* 10n > mid.rate', 'A rate nine percent off the mid needs no second operator.'],
    [
      '* 100n > mid.rate',
      '* 100n >= mid.rate',
      'A rate exactly one percent off the mid needs two operators.',
    ],
    [
      '    rate > 0n &&\n    rate <= MAX_RATE',
      '    rate <= MAX_RATE',
      'A rate of zero or below is accepted.',
    ],
    [
      'rate <= mid.rate * FARTHEST_FACTOR &&',
      'rate <= mid.rate * FARTHEST_FACTOR * 1_000n &&',
      'A rate a thousand times too high is accepted.',
    ],
    [
      'mid.rate <= rate * FARTHEST_FACTOR)',
      'mid.rate <= rate * FARTHEST_FACTOR * 1_000n)',
      'A rate a thousand times too low is accepted.',
    ],
    [
      '  const refused = checkRate(rate, mid)\n',
      '  const refused = checkRate(mid?.rate ?? rate, mid)\n',
      'The rate of an arrival is not checked.',
    ],
    [
      "  if (fixedRate === null && arrivedAt === at && !isRateUsable(context, currency, at))\n    return reject('rateStale', { currency })\n",
      '',
      'Money is credited at the rate of a silent market.',
    ],
    [
      'freshQuote(state, instrument, at) !== null || !isOpen(instrument, at)',
      'freshQuote(state, instrument, at) !== null',
      'Nothing can be credited while the market is closed.',
    ],
    [
      'if (!isValidSentAmount(claim.amount)) return invalidSentAmount',
      'if (claim.amount === 0n) return invalidSentAmount',
      'An absurd amount of a cheap currency is credited.',
    ],
  ),
  ...testedBy(
    `${CORE}payments/decide-case.ts`,
    `${CORE}payments/deposit-rate.test.ts`,
    [
      "(isFarFromMid && !isConfirmed(by) ? reject('secondOperatorNeeded') : null) ??\n    ",
      '',
      'One operator credits at a rate far from the market.',
    ],
    [
      'const { credited: amount, arrived, isFarFromMid } = credit',
      'const { arrived, isFarFromMid } = credit\n  const amount = arrived ? money(arrived.amount / 100n) : credit.credited',
      'One bitcoin is compared with the limits as one dollar.',
    ],
    [
      'const amount = amountAtRate(sent.amount, priced.rate)\n',
      'const amount = money(sent.amount / 100n)\n',
      'A reported bitcoin counts as one dollar.',
    ],
    [
      '  if (!isValidSentAmount(sent.amount)) return invalidSentAmount(sent)\n  const priced',
      '  const priced',
      'An absurd amount of a cheap currency is reported.',
    ],
  ),
]

/** One way for decisions: each is carried out once and completely, also after a crash. */
const MECHANISM: readonly Mutation[] = [
  ...testedBy(
    `${SERVER}engine/follow-ups.ts`,
    `${SERVER}funds/desk/interrupted.wire.test.ts`,
    [
      '    const body = await store(followUp, id)\n    if (isReused(body)) return body\n    const answer = await engine.execute(followUp.command)\n',
      '    const answer = await engine.execute(followUp.command)\n    const body = await store(followUp, id)\n    if (isReused(body)) return body\n',
      'What follows a decision is stored after it, and a crash in between loses it.',
    ],
    [
      'let mayHavePending = true',
      'let mayHavePending = false',
      'What a killed process left behind is not continued by the next one.',
    ],
  ),
  ...testedBy(
    `${SERVER}engine/follow-ups.ts`,
    `${SERVER}engine/follow-ups.test.ts`,
    ['return numDeletedRows === 1n', 'return true', 'What follows a decision is carried out twice.'],
    [
      'if (entry === null) await forget(id)',
      'if (entry === null) continue',
      'What a rejected decision would have brought stays stored for ever.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/approvals/approvals.ts`,
    `${SERVER}desk/approvals/approvals.test.ts`,
    ['      await write(entryOfEnd(row, decision))\n', '', 'The end of an approval has no audit entry.'],
    [
      '    if (known) return known\n    const { subject, reason, before, after, body } = change',
      '    const { subject, reason, before, after, body } = change',
      'A request that is sent twice opens two cases.',
    ],
    [
      'reasonNotToDecide(row, kind, by) ?? (await refusalUnlessEntitled(queries, by, kind))',
      'reasonNotToDecide(row, kind, by)',
      'An operator who was switched off while a call was under way still approves.',
    ],
    [
      "    if (!(await claimApproval(queries, row, decision))) return recordRefusal(refuse('caseEnded'))\n",
      '',
      'An approval is carried out without a claim, so that a crash leaves it half done.',
    ],
  ),
  ...testedBy(`${SERVER}desk/approvals/approvals.ts`, `${SERVER}desk/approvals/approvals.test.ts`, [
    "row('decided_by', 'is', null),",
    "row('id', '>', 0n),",
    'Several operators who decide at once all carry out the change.',
  ]),
  ...testedBy(`${SERVER}desk/audit-log/audit-log.ts`, `${SERVER}desk/approvals/approvals.test.ts`, [
    "if (!entry.approval || outcome.outcome !== 'done') return null",
    "if (!entry.approval || outcome.outcome !== '') return null",
    'A change and the end of its approval are two transactions.',
  ]),
  ...testedBy(`${SERVER}funds/desk/deposit-decisions.ts`, `${SERVER}funds/desk/deposits.wire.test.ts`, [
    "waiting.size > 0 ? refuse('secondPersonAsked') : work()",
    'work()',
    'Two approvals of one deposit wait at once.',
  ]),
]

/** The price of a payout currency. */
const PAYOUT_PRICE: readonly Mutation[] = [
  ...testedBy(
    `${SERVER}funds/desk/withdrawal-currencies.ts`,
    `${SERVER}funds/desk/payment-setup.wire.test.ts`,
    [
      'if (before && isSwitchOff(before, typed)) {',
      'if (before) {',
      'One operator changes the price of a payout currency at once.',
    ],
    [
      'before.isOn && JSON.stringify(factsOf({ ...before, isOn: false })) === JSON.stringify(factsOf(form))',
      'before.isOn && !form.isOn',
      'One operator changes a price while switching the currency off.',
    ],
    ["    .where('version', '=', BigInt(version))\n", '', 'An approved form overwrites a newer price.'],
    [
      "    if (before && before.version !== version) return refused(refuse('formOutdated'))\n",
      '',
      'A change of price is requested by an outdated form.',
    ],
  ),
  ...testedBy(
    `${SERVER}funds/withdrawals.ts`,
    `${SERVER}funds/desk/withdrawals.wire.test.ts`,
    [
      '(refusalOfQuote(call.input, quoted) ?? { ...payable, quoted })',
      '{ ...payable, quoted }',
      'A withdrawal is taken at another quote than its owner was shown.',
    ],
    [
      '    const payable = await quotedOf(services, call)\n',
      '    const payable: NewWithdrawal | Refusal = asked\n',
      'A withdrawal is taken at a price that operators changed while it was checked.',
    ],
    [
      '(quotedFee === null || quotedFee === quoted.fee) &&',
      '',
      'A withdrawal is taken at another fee than its owner was shown.',
    ],
    [
      '(quotedPrice === null || isSameDecimal(quotedPrice, price)) &&',
      '',
      'A withdrawal is taken at another price than its owner was shown.',
    ],
    [
      '(quotedReceived === null || isSameDecimal(quotedReceived, received))',
      'true',
      'A withdrawal pays out another amount than its owner was shown.',
    ],
    [
      '      payout,\n      request: named,',
      '      request: named,',
      'The journal does not fix the price of a payout.',
    ],
  ),
  ...testedBy(`${SERVER}funds/desk/routes.ts`, `${SERVER}funds/desk/withdrawals.wire.test.ts`, [
    'received: `${row.received} ${row.code}`,\n    payTo',
    "received: `${Number((await queries.selectFrom('money_case').select('amount').where('id', '=', BigInt(id)).executeTakeFirst())?.amount) / 1e6 * Number((await queries.selectFrom('withdrawal_currency').select('usd_price').where('id', '=', row.currency_id).executeTakeFirst())?.usd_price)} ${row.code}`,\n    payTo",
    'A withdrawal is paid at the price of the payment, not of its request.',
  ]),
]

/** Operators, their roles and their keys, at the desk. */
const AT_DESK: readonly Mutation[] = [
  ...testedBy(`${SERVER}desk/approvals/approvals.ts`, `${SERVER}funds/desk/receiving-accounts.test.ts`, [
    "return Number(row.asked_by) === by.id ? refuse('sameOperator') : null",
    'return null',
    'An operator approves what they requested.',
  ]),
  ...testedBy(
    `${SERVER}desk/approvals/approvals.ts`,
    `${SERVER}funds/desk/payment-setup.wire.test.ts`,
    [
      'if (!(await isStillEntitled(queries, row, kind)))',
      'if (row.id < 0n)',
      'The request of an operator who lost the role is approved.',
    ],
    [
      'isOn !== undefined && (!isOn || newRole !== role)',
      'isOn === null',
      'The request of an operator who was switched off is valid again once they return.',
    ],
    [
      "if (options.isSingleOperator() && TWO_OPERATORS[change.kind].alone === 'secondOperatorNeeded') {",
      'if (change.kind === undefined) {',
      'In single-operator mode changes of receiving accounts are put up for approval.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/operators/operator-changes.ts`,
    `${SERVER}desk/operators/operator-keys.wire.test.ts`,
    [
      '    if (isSingleOperator()) {\n      const { subject, reason } = change',
      '    if (change.kind !== undefined) {\n      const { subject, reason } = change',
      'One administrator invites alone and is shown both keys.',
    ],
    [
      '    if (known) return isRefusal(known) ? known : { ...known, invitation: null, confirmation: null }\n',
      '',
      'A repeated request shows another invitation key.',
    ],
    [
      'if (change.id === approved.second.id)',
      'if (change.id === 0)',
      'The desk lets an operator approve their own role.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/operators/operator-changes.ts`,
    `${SERVER}desk/operators/operators.wire.test.ts`,
    [
      'if (id === approved.second.id) return recordRefusal',
      'if (id === 0) return recordRefusal',
      'An operator approves the reset of their own log-in.',
    ],
    ['if (id === operator.id) {', 'if (id === 0) {', 'An operator requests the reset of their own log-in.'],
    [
      'const isSingleOperator = () => !deployment.engine.state().hasSecondOperator',
      "const isSingleOperator = () => ![...deployment.engine.state().operators.values()].some((each) => each.isActive && each.role === 'compliance')",
      'Switching the second operator off brings single-operator mode back.',
    ],
    [
      'const isUrgent = before.isOn && !after.isOn && after.role === before.role',
      'const isUrgent = false',
      'An operator cannot be switched off by one.',
    ],
  ),
  ...testedBy(`${SERVER}desk/operators/operator-changes.ts`, `${SERVER}desk/waiting/waiting.wire.test.ts`, [
    '    await releaseCases(within, id)\n',
    '',
    'A case stays with an operator who was switched off.',
  ]),
  ...testedBy(
    `${SERVER}desk/operators/operators.ts`,
    `${SERVER}desk/operators/operator-keys.wire.test.ts`,
    [
      "    .where('confirmation_hash', 'is not', null)\n",
      '',
      'An invitation of a release with only one key opens a log-in.',
    ],
    ["    .where('invited_until', '>', BigInt(Math.floor(at)))\n", '', 'Keys never expire.'],
  ),
  ...testedBy(
    `${SERVER}desk/operators/desk-login.ts`,
    `${SERVER}desk/operators/operator-keys.wire.test.ts`,
    [
      'if (invited.confirmation_hash === confirmationHash(confirmation)) return invited',
      'if (confirmation !== null) return invited',
      'The invitation alone opens a log-in.',
    ],
    ['tries < CONFIRMATION_TRIES ?', 'tries < Infinity ?', 'Confirmations can be guessed without end.'],
    [
      '{ password_hash: passwordHash, ...NO_KEYS }',
      '{ password_hash: passwordHash }',
      'Keys open a log-in again after they were used.',
    ],
    [
      '      if (!(await findInvited(queries, hash, now()))) return INVITATION_INVALID\n',
      '',
      'Two people join by one invitation.',
    ],
    [
      '    if (!isEnrolled) await sessions.endAll(row.id, secretHash(token))\n',
      '',
      'An earlier log-in stays open while another sets up the second factor.',
    ],
    [
      '  await changeOperatorRow(within, id, { totp_secret: null })\n',
      '',
      'The second factor that an earlier log-in prepared stays valid.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/operators/operator-factor.ts`,
    `${SERVER}desk/operators/operator-keys.wire.test.ts`,
    [
      "      if (operator?.totp_confirmed_at !== null) return refuse('secondFactorOn')\n      if (!(await takeStep",
      '      if (!(await takeStep',
      'The second factor is set up a second time.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/operators/recovery.ts`,
    `${SERVER}desk/operators/recovery.wire.test.ts`,
    [
      'recovery.digest === digestOf(invitationHash, confirmationHash(confirmation))',
      'recovery.digest !== invitationHash',
      'Any keys open an announced recovery.',
    ],
    ['  await voidKeysOf(within, id)\n', '', 'Keys given with a log-in that was lost outlive its recovery.'],
  ),
  ...testedBy(`${SERVER}desk/approvals/approvals.ts`, `${SERVER}desk/operators/recovery.wire.test.ts`, [
    "password === 'none' || joined === true",
    "password === 'none'",
    'What was requested with a log-in that was lost outlives its recovery.',
  ]),
  ...testedBy(`${SERVER}funds/desk/withdrawals.ts`, `${SERVER}funds/desk/withdrawals.wire.test.ts`, [
    'held.approvedBy === operator.id && !hasSecondOperator',
    'false',
    'A payment by the only operator is not marked.',
  ]),
  ...testedBy(`${SERVER}funds/desk/withdrawals.ts`, `${SERVER}funds/desk/money-races.wire.test.ts`, [
    "      if (held.status === 'held')\n        return (await decide",
    "      if (held.status !== 'paying')\n        return (await decide",
    'No second operator is asked to reject an approved withdrawal.',
  ]),
  ...testedBy(`${SERVER}funds/desk/adjustments.ts`, `${SERVER}desk/waiting/waiting.wire.test.ts`, [
    'needsSecond: true,',
    'needsSecond: size > limit,',
    'A small adjustment is offered to its requester for approval.',
  ]),
  ...testedBy(`${SERVER}desk/audit-log/engine-commands.ts`, `${SERVER}desk/waiting/waiting.wire.test.ts`, [
    '      const blank = refusalOfReason(auditEntry.reason)\n      if (blank) return blank\n',
    '',
    'A decision about money needs no reason.',
  ]),
  ...testedBy(
    'packages/contract/src/desk/permissions.ts',
    'packages/contract/src/desk/permissions.test.ts',
    [
      "decideOperators: ['compliance', 'administrator'],",
      "decideOperators: ['compliance', 'administrator', 'finance'],",
      'Finance confirms roles and the limits of two operators.',
    ],
    [
      "decideHeldPrice: ['compliance', 'administrator'],",
      "decideHeldPrice: ['compliance', 'administrator', 'dealing'],",
      'Two dealers admit a held price.',
    ],
  ),
  ...testedBy(`${SERVER}engine/restore/restore.ts`, `${SERVER}engine/restore/limits-restart.test.ts`, [
    'BigInt(Number(newest?.at ?? 0n) - SUM_WINDOW_MS)',
    'BigInt(Number(newest?.at ?? 0n))',
    'The sums begin anew at a restart.',
  ]),
]

/** Deposits in their own currency, at the server and in what their owner reads. */
const CREDITS: readonly Mutation[] = [
  ...testedBy(`${SERVER}funds/desk/receiving-accounts.ts`, `${SERVER}funds/desk/deposit-rates.wire.test.ts`, [
    '    const refused = checkRate(fixedRate, referenceRate(market, currency))\n',
    '    const refused = checkRate(fixedRate, { rate: fixedRate })\n',
    'A channel gets a fixed rate a thousand times off.',
  ]),
  ...testedBy(`${SERVER}funds/desk/receiving-accounts.ts`, `${SERVER}funds/desk/receiving-accounts.test.ts`, [
    'refusalOfRate(market(), form) ?? (await refusalOfDuplicate(queries, change))\n      if (refused)',
    'refusalOfRate(market(), form)\n      if (refused)',
    'Two requests for one address are both approved.',
  ]),
  ...testedBy(
    `${SERVER}funds/desk/payment-forms.ts`,
    `${SERVER}funds/desk/deposit-rates.wire.test.ts`,
    [
      '${plainAccount(form.payeeAccount)}',
      '${form.payeeAccount}',
      'One IBAN exists twice, with spaces and without.',
    ],
    ['${plainAddress(address)}', '${address}', 'One address exists twice, in upper and in lower case.'],
    [
      'const stored = storedNetwork(protocolCode)',
      'const stored = protocolCode',
      'One address exists twice, with its network written in two ways.',
    ],
  ),
  ...testedBy(
    `${SERVER}funds/deposits.ts`,
    `${SERVER}funds/desk/deposit-rates.wire.test.ts`,
    [
      '  const { amount } = worth\n',
      '  const amount = deposit.amount / 100n\n',
      'The limits of a day compare the amount sent, whatever its currency.',
    ],
    ['rate: counted?.rate ?? null,', 'rate: null,', 'The owner of a deposit does not see its rate.'],
    [
      'arrived: counted?.amount ?? null,',
      'arrived: null,',
      'The owner of a deposit does not see what arrived.',
    ],
    [
      'amount: reported?.amount ?? rescale(amount, MONEY_DECIMALS, SENT_DECIMALS),',
      'amount: rescale(amount, MONEY_DECIMALS, SENT_DECIMALS),',
      'The owner of a deposit sees its value as the amount sent.',
    ],
    [
      "credited: status === 'finished' ? money(credited) : null,",
      'credited: null,',
      'The owner of a deposit does not see what was credited.',
    ],
    [
      '  currency: row.currency_code,\n  network',
      '  currency: accountCurrency,\n  network',
      'The owner of a deposit sees the account currency as the one sent.',
    ],
  ),
  ...testedBy(
    `${SERVER}funds/statement/statement-document.ts`,
    `${SERVER}funds/desk/deposit-rates.wire.test.ts`,
    [
      'notes: [number, sent, memo].filter',
      'notes: [number, memo].filter',
      'A statement names neither what was sent nor its rate.',
    ],
  ),
  ...testedBy(
    `${SERVER}funds/deposit-channels.ts`,
    `${SERVER}funds/desk/deposit-rates.wire.test.ts`,
    [
      "const PEGS: Readonly<Record<string, string>> = { USDT: 'USD' }",
      'const PEGS: Readonly<Record<string, string>> = {}',
      'A dollar coin has no rate without a pair.',
    ],
    [
      'return valuation ? [{ row, valuation }] : []',
      'return [{ row, valuation: valuation as Valuation }]',
      'A channel is offered whose deposits could not be credited.',
    ],
  ),
  ...testedBy(
    `${SERVER}funds/desk/deposit-decisions.ts`,
    `${SERVER}funds/desk/deposit-rates.wire.test.ts`,
    [
      'const given = fixed(calculated)',
      'const given = calculated.given',
      'The second operator approves a rate that is not the one requested.',
    ],
    [
      'return calculated.isFar || checkCreditLimits',
      'return checkCreditLimits',
      'The desk does not ask a second operator for a rate far from the mid.',
    ],
    [
      "      .where('time', '<=', BigInt(at - MINUTE_MS))\n",
      '',
      'An earlier arrival is credited at the newest price.',
    ],
  ),
  ...testedBy(
    `${SERVER}verify/market-rows.ts`,
    `${SERVER}funds/desk/deposit-rates.wire.test.ts`,
    [
      '(rate < range.lowest || rate > range.highest)',
      'rate < 0n',
      'Verify takes any rate of an earlier arrival.',
    ],
    [
      'isOutside(before) && isOutside(await ratesIn(queries, state, { currency, latest: arrivedAt }))',
      'isOutside(before)',
      'Verify reports a rate that one operator requested and a second one approved later.',
    ],
  ),
]

/** One operator tries every call, and the one table of what needs two. */
const DONE_MEANS: readonly Mutation[] = [
  // Only files of the server: a test of the core would catch its mutation before the walk.
  ...testedBy(`${SERVER}desk/approvals/approvals.ts`, WALK, [
    "return Number(row.asked_by) === by.id ? refuse('sameOperator') : null",
    'return null',
    'One operator requests and approves every change of the desk.',
  ]),
  ...testedBy(`${SERVER}settings/desk-settings.ts`, WALK, [
    '    if (SETTINGS_OF_TWO.includes(name)) {',
    "    if (SETTINGS_OF_TWO.includes(name) && reason === '') {",
    'One operator changes each setting that needs two.',
  ]),
  ...testedBy(`${SERVER}funds/desk/withdrawal-currencies.ts`, WALK, [
    "    if (before && before.version !== version) return refused(refuse('formOutdated'))\n",
    `    if (before && before.version !== version) return refused(refuse('formOutdated'))
    if (before) return (await perform({ id, version, form }, before, { operator, reason })) ?? { approvalId: null }
`,
    'One operator saves another price of a payout currency.',
  ]),
  ...testedBy(`${SERVER}desk/approvals/approvals.ts`, TABLE, [
    'if (!(await isStillEntitled(queries, row, kind)))',
    'if (row.id === 0n)',
    'Whatever an operator requested can be approved after they were switched off.',
  ]),
  ...testedBy('packages/contract/src/desk/two-operators.ts', TABLE, [
    "    calls: ['saveWithdrawalCurrency'],\n",
    '    calls: [],\n',
    'The table of what needs two leaves out the price of a payout currency.',
  ]),
  ...testedBy(
    'packages/contract/src/desk/two-operators.ts',
    'packages/contract/src/desk/two-operators.test.ts',
    [
      "    calls: ['finishDeposit'],\n    needsTwo: 'aboveLimits',",
      "    calls: ['finishDeposit'],\n    needsTwo: 'always',",
      'The table and docs/desk.md differ in when two operators are needed.',
    ],
    [
      "    first: 'changeSettings',\n    second: 'decideSettings',",
      "    first: 'changeSettings',\n    second: 'changeSettings',",
      'The table and docs/desk.md differ in who may approve.',
    ],
  ),
  ...testedBy(`${SERVER}settings/wiring.ts`, `${SERVER}settings/settings.wire.test.ts`, [
    'engine.state().hasOperators && !engine.state().hasSecondOperator',
    'engine.state().hasOperators && engine.state().hasSecondOperator',
    'Nobody outside sees that the broker has one operator.',
  ]),
  ...testedBy(`${SERVER}settings/routes.ts`, `${SERVER}desk/operators/recovery.wire.test.ts`, [
    '? { recoveryAt: recovery.effectiveAt, recoveryReason: recovery.reason }',
    "? { recoveryAt: null, recoveryReason: '' }",
    'A recovery is announced to nobody outside.',
  ]),
]

/** What one operator alone must not be able to do, and money in its own currency. */
export const TWO_OPERATOR_MUTATIONS: readonly Mutation[] = [
  ...MECHANISM,
  ...PAYOUT_PRICE,
  ...SUMS,
  ...PAYING,
  ...SECOND_OPERATOR,
  ...AT_DESK,
  ...SENT_MONEY,
  ...CREDITS,
  ...DONE_MEANS,
]
