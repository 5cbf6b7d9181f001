import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

/** Mutations of a file in a folder, with the path in the same folder of the test that must catch them. */
const testedIn =
  (folder: string) =>
  (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
    mutationsOf(`${folder}/${file}`, ...mutations).map((mutation) => ({
      ...mutation,
      tests: [`${folder}/${test}`],
    }))

const web = testedIn('apps/web/src')
const desk = testedIn('apps/desk/src')
const server = testedIn('apps/server/src')

/** Mutations of a file of another package, caught by a test of the web app. */
const shared = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(`packages/${file}`, ...mutations).map((mutation) => ({
    ...mutation,
    tests: [`apps/web/src/${test}`],
  }))

const OPENS_AGAIN = 'app/opens-again.sweep.test.tsx'
const PHONE_SIZES = 'app/phone-sizes.sweep.test.tsx'
const TRADING = 'features/trading'

/** The ticket and the chart at six phone sizes. */
const PHONE: readonly Mutation[] = [
  ...web(`${TRADING}/trade-screen.tsx`, OPENS_AGAIN, [
    'className="absolute inset-0 ps-2"',
    'className="h-full ps-2"',
    'A collapsed ticket does not open again, because the chart keeps its space.',
  ]),
  ...web(
    `${TRADING}/trade-screen.tsx`,
    PHONE_SIZES,
    ['          setIsTall(false)\n', '', 'The ticket cannot be opened while the chart is tall.'],
    [
      "isBare ? 'min-h-18' : 'min-h-36 ",
      "isBare ? 'min-h-0' : 'min-h-36'",
      'On a short phone an open ticket removes the chart.',
    ],
    [
      "isBare ? 'min-h-18' : 'min-h-36 ",
      "isBare ? 'min-h-60' : 'min-h-60'",
      'On a short phone the chart takes the place of the last lines of the ticket.',
    ],
    [
      "'relative flex-1 landscape-phone:min-h-0'",
      "'relative landscape-phone:min-h-0'",
      'An empty band is between the chart and the ticket.',
    ],
  ),
  ...web(
    `${TRADING}/ticket/ticket.tsx`,
    PHONE_SIZES,
    [
      "'flex min-h-0 flex-col gap-2 rounded-t-sheet",
      "'flex shrink-0 flex-col gap-2 rounded-t-sheet",
      'An open ticket pushes Sell and Buy under the tab bar.',
    ],
    [
      '{!isFolded && riskWarning && <p className="text-tiny',
      '{!isFolded && riskWarning && <p className="-mb-6 text-tiny',
      'The risk warning of the ticket is cut in half.',
    ],
  ),
  ...web('features/company/companies-screen.tsx', OPENS_AGAIN, [
    'onClose={() => setIsOpen(false)}',
    'onClose={() => setIsOpen(true)}',
    'The details of a company do not close.',
  ]),
  ...web('features/company/companies-screen.tsx', OPENS_AGAIN, [
    '    setOpened(company)\n    setIsOpen(true)\n',
    '    setOpened(company)\n    setIsOpen(opened === null)\n',
    'The details of a company open only once.',
  ]),
  ...web('features/market/home-screen.tsx', PHONE_SIZES, [
    '      <SideBySide\n        first={\n          <>\n            {card}\n',
    '      {card}\n      <SideBySide\n        first={\n          <>\n',
    'A phone in landscape shows no instrument on its first screen.',
  ]),
  ...web(`${TRADING}/orders/orders-screen.tsx`, PHONE_SIZES, [
    "      <SideBySide first={<OrderSummary bookedProfit={list === 'history' ? state.profit : undefined} />}>",
    "      <OrderSummary bookedProfit={list === 'history' ? state.profit : undefined} />\n      <SideBySide first={null}>",
    'A phone in landscape shows no order on the orders screen.',
  ]),
]

const TICKET = `${TRADING}/ticket.test.tsx`
const ORDER_SHEET = `${TRADING}/orders/order-sheet.test.tsx`

/** Stops and the side that they are for. */
const STOPS: readonly Mutation[] = [
  ...web(
    `${TRADING}/ticket/ticket-model.ts`,
    TICKET,
    ['  return state.lastSide\n', "  return state.lastSide ?? 'buy'\n", 'The side of the stops is guessed.'],
    [
      '        lastSide: action.side,\n',
      '',
      'The side of the last order is forgotten, and the stops of the next one ask for it again.',
    ],
    [
      '    isSize(size) ? sideOf(size) : null,\n',
      '    null,\n',
      'The side of the last order on an instrument is forgotten when the screen is left.',
    ],
  ),
  ...web(
    `${TRADING}/ticket/price-fields.tsx`,
    TICKET,
    [
      'write(firstStop(name, side, { instrument, reference }))',
      'write(nextPrice(reference, direction, { instrument, reference }))',
      'One press up puts both stops above the price.',
    ],
    [
      'if (side === null) return props.onSideNeeded?.()',
      'if (side === null) return',
      'A press on a stop whose side is unknown does nothing, and asks for nothing.',
    ],
    [
      'figures.money(profit, { sign:',
      "figures.money(name === 'stopLoss' ? (-profit as Money) : profit, { sign:",
      'The label of a stop shows the loss of the other side.',
    ],
  ),
  ...web(`${TRADING}/ticket/ticket-form.tsx`, TICKET, [
    "profit={side && summary[side][name === 'stopLoss' ? 'atStopLoss' : 'atTakeProfit']}",
    "profit={side && summary[name === 'stopLoss' ? 'sell' : 'buy'][name === 'stopLoss' ? 'atStopLoss' : 'atTakeProfit']}",
    'The labels of the stops show the loss of a sell and the profit of a buy at once.',
  ]),
  ...web(`${TRADING}/ticket/use-ticket.ts`, TICKET, [
    '    setSending(side)\n',
    "    if (state.stopSide === null && state.lastSide === null) return dispatch({ type: 'needSide', field: 'stopLoss' })\n    setSending(side)\n",
    'Sell and Buy ask for the side of the stops before they send an order.',
  ]),
  ...web(
    `${TRADING}/orders/set-stops.tsx`,
    ORDER_SHEET,
    [
      'profit={at === null ? null : profitAt(at)}',
      'profit={null}',
      'The stops of an order show neither money nor pips.',
    ],
    [
      'reference={reference === null ? null : toTicks(reference, priceDecimals)}',
      'reference={null}',
      'The steppers of the stops of an order do nothing.',
    ],
  ),
]

const PAYMENTS_TEST = 'features/waiting/payment-actions.test.tsx'
const WAITING_TEST = 'features/waiting/waiting-screen.test.tsx'

/** The desk. */
const DESK: readonly Mutation[] = [
  ...server(
    'accounts/desk/identity.ts',
    'accounts/desk/identity.wire.test.ts',
    [
      'if (faults.length === 0 && !(await hasOpenedBoth(within, operator.id, accountId)))',
      'if (false)',
      'An identity is approved without opening a document.',
    ],
    [
      'return opened.has(front) && opened.has(reverse)',
      'return opened.has(front) || opened.has(reverse)',
      'An identity is approved after opening one side of its document.',
    ],
    [
      "    .where('operator_id', '=', BigInt(operatorId))\n",
      '',
      'An identity is approved by an operator whose colleague opened the documents.',
    ],
  ),
  ...server('accounts/desk/user-verification.ts', 'accounts/desk/identity.wire.test.ts', [
    "return call.input.outcome === 'verified' ? requestVerification(call) : withdrawVerification(call)",
    "if (call.input.outcome === 'verified') { await verify({ accountId: call.input.accountId }, { operator: call.operator, reason: call.input.reason } as never); return { approvalId: null } }\n    return withdrawVerification(call)",
    'One operator verifies a user without documents.',
  ]),
  ...desk('features/waiting/identity.tsx', 'features/waiting/identity.test.tsx', [
    'disabled={!mayApprove}',
    'disabled={false}',
    'The desk offers to verify an identity whose documents were not opened.',
  ]),
  ...mutationsOf('packages/ui/src/overlays/dialog.tsx', [
    "'flex max-h-full w-full flex-col overflow-hidden rounded-sheet",
    "'flex w-full flex-col overflow-hidden rounded-sheet",
    'A long dialog is taller than the screen, with its buttons outside.',
  ]).map((mutation) => ({
    ...mutation,
    tests: ['apps/desk/src/features/money/payment-setup-screen.test.tsx'],
  })),
  ...desk(
    'features/waiting/case-body.tsx',
    PAYMENTS_TEST,
    [
      "      {row.kind === 'deposit' && <ProofView id={Number(row.caseKey.split(':')[1])} />}\n",
      '',
      'A deposit is shown without its proof.',
    ],
    [
      `      {row.kind === 'deposit' && <ProofView id={Number(row.caseKey.split(':')[1])} />}
      {row.riskReasons.length > 0 && (
        <ul aria-label="Risk flags" className="flex flex-wrap gap-1.5">
          {row.riskReasons.map((why) => (
            <li key={why}>
              <Badge tone={row.risk === 'high' ? 'down' : 'brass'}>{why}</Badge>
            </li>
          ))}
        </ul>
      )}
      {(facts.length > 0 || row.kind === 'chat') && (
        <FactList facts={[...userFact(row.accountId), ...facts.map(factOf)]} />
      )}
`,
      `      {row.riskReasons.length > 0 && (
        <ul aria-label="Risk flags" className="flex flex-wrap gap-1.5">
          {row.riskReasons.map((why) => (
            <li key={why}>
              <Badge tone={row.risk === 'high' ? 'down' : 'brass'}>{why}</Badge>
            </li>
          ))}
        </ul>
      )}
      {(facts.length > 0 || row.kind === 'chat') && (
        <FactList facts={[...userFact(row.accountId), ...facts.map(factOf)]} />
      )}
      {row.kind === 'deposit' && <ProofView id={Number(row.caseKey.split(':')[1])} />}
`,
      'The proof of a deposit comes after the facts of its case.',
    ],
  ),
  ...desk('ui/private-picture.tsx', PAYMENTS_TEST, [
    'className="max-h-96 overflow-auto rounded-field bg-page"',
    'className="h-40 overflow-hidden rounded-field bg-page"',
    'The proof of a deposit is cut.',
  ]),
  ...desk('features/waiting/case-actions.tsx', WAITING_TEST, [
    '...shownChanges(changes)',
    "...changes.map((each) => ({ label: each.field, before: each.before ?? 'none', after: each.after ?? 'none' }))",
    'An approval names what it changes by the names of fields and with raw amounts.',
  ]),
  ...desk('ui/change-list.tsx', WAITING_TEST, [
    "  'fourEyesOperatorLimit',\n",
    '',
    'One limit of changes has grouped digits and the other has not.',
  ]),
  ...desk('features/waiting/case-assignment.tsx', WAITING_TEST, [
    'const mayTake = !isMine && deciders.includes(self.role)',
    'const mayTake = !isMine',
    'A case can be taken by a role that cannot decide it.',
  ]),
  ...desk(
    'features/settings/platform-settings-screen.tsx',
    'features/settings/platform-settings-screen.test.tsx',
    [
      'const titleOf = ({ name }: Setting): string => SETTING_TITLES[name] ?? name',
      'const titleOf = ({ name }: Setting): string => name',
      'A setting is shown by its raw name.',
    ],
  ),
  ...mutationsOf('packages/contract/src/accounts/user-number.ts', [
    'String(BigInt(USER_NUMBER_BEGINS_AT) + BigInt(accountId))',
    'String(accountId)',
    'A user has one number for users and another for operators.',
  ]).map((mutation) => ({ ...mutation, tests: ['apps/desk/src/features/money/transfers-screen.test.tsx'] })),
  ...mutationsOf('packages/contract/src/desk/field-labels.ts', [
    "const BY_USER: readonly string[] = ['person', 'identity', 'chat']",
    "const BY_USER: readonly string[] = ['person', 'chat']",
    'The identity of a user is named by another number than the user.',
  ]).map((mutation) => ({ ...mutation, tests: ['packages/contract/src/desk/field-labels.test.ts'] })),
  ...server('platform/i18n/en.json', 'funds/desk/withdrawals.wire.test.ts', [
    '"withdrawalApproved": "Withdrawal {caseId} approved"',
    '"withdrawalApproved": "Account changed {caseId}"',
    'The owner of an approved withdrawal reads that something of the account changed.',
  ]),
  ...desk('features/money/transfers-screen.tsx', 'features/money/transfers-screen.test.tsx', [
    "reference: reference.trim() === '' ? null : reference.trim()",
    'reference: null',
    'The list of transfers is not searched.',
  ]),
  ...desk('features/risk/risk-cards.tsx', 'features/risk/risk-screen.test.tsx', [
    "  if (ledger === 'real' && demoPositions > 0)\n    return `no real positions, ${countText(demoPositions, 'demo position')}`\n",
    '',
    'The first page of the desk says that nobody has a position while demo accounts have some.',
  ]),
  ...server('risk/risk-routes.ts', 'risk/risk.wire.test.ts', [
    'demoPositions: snapshot.ledgers.demo.positions',
    'demoPositions: 0',
    'The desk is told of no demo positions.',
  ]),
]

const ACCOUNT_CARD = `${TRADING}/account/account-card.test.tsx`
const DEPOSITS = 'features/funds/deposit/deposit-screen.test.tsx'
const FUNDS = 'features/funds/funds-screen.test.tsx'

/** From the first visit to money paid out. */
const MONEY: readonly Mutation[] = [
  ...web(`${TRADING}/account/account-card.tsx`, ACCOUNT_CARD, [
    '  if (newUser) return <FirstSteps />\n',
    '',
    'A new user sees zeros and a full margin bar.',
  ]),
  ...web(`${TRADING}/account/account-summary.tsx`, ACCOUNT_CARD, [
    '  if (newUser) return <FirstSteps />\n',
    '',
    'The account screen of a new user shows zeros and a full margin bar.',
  ]),
  ...web(
    `${TRADING}/account/first-steps.tsx`,
    ACCOUNT_CARD,
    [
      "const STEPS: readonly FirstStep[] = ['verify', 'deposit', 'order']",
      "const STEPS: readonly FirstStep[] = ['verify', 'deposit']",
      'The first steps do not name the first order.',
    ],
    [
      "STEPS.find((step) => progress[step] === 'open')",
      "STEPS.findLast((step) => progress[step] === 'open')",
      'The first steps lead to an order before the identity is checked.',
    ],
    [
      "const isBlocked = step === 'deposit' && state === 'open' && isSingleOperator",
      "const isBlocked = step === 'deposit' && state === 'waiting' && isSingleOperator",
      'The first steps do not say that deposits require a second operator.',
    ],
  ),
  ...web(
    'features/funds/deposit/deposit-screen.tsx',
    DEPOSITS,
    [
      'const isNone = useHasDepositMethod() === false',
      'const isNone = false',
      'A deployment without any way to deposit shows only that one way is missing.',
    ],
    ["  if (link === '') return <NoChannel />\n", '', 'The card page is linked although none is set up.'],
    [
      'const isSingleOperator = useDepositInfo()?.isSingleOperator === true',
      'const isSingleOperator = false',
      'Deposits are offered while the broker has one operator.',
    ],
  ),
  ...web('features/funds/payment-queries.ts', DEPOSITS, [
    'const watched = { staleTime: 0, refetchInterval: 10_000 } as const',
    'const watched = { staleTime: 0 } as const',
    'A new way to deposit appears only after a reload.',
  ]),
  ...web('features/funds/deposit/deposit-form.tsx', 'features/funds/deposit/deposit-form.test.tsx', [
    '      if (id !== null) navigate(`/mine/charge?id=${id}`)\n',
    '',
    'A reported deposit leaves its user at the form.',
  ]),
  ...web('features/funds/withdraw/withdraw-form.tsx', 'features/funds/withdraw/withdraw-screen.test.tsx', [
    '    event.preventDefault()\n    setPendingSubmit(event)\n',
    '    return submit.onSubmit(event)\n',
    'A withdrawal is sent without a last question.',
  ]),
  ...web(
    'features/funds/record-list.tsx',
    FUNDS,
    [
      'const isPart = ({ kind, caseId }: LedgerRecord) => caseId !== null && WITHDRAWAL_KINDS.includes(kind)',
      'const isPart = (_record: LedgerRecord) => false',
      'One withdrawal is three lines of the transactions.',
    ],
    [
      '              .map(({ memo, amount }) => `${memo} ${asName(figures.money(amount))}`)\n',
      "              .map(() => '')\n",
      'The line of a withdrawal does not show its parts.',
    ],
  ),
]

const ORDERS = `${TRADING}/orders`

/** Messages, figures, dates, the connection and the keyboard. */
const DETAILS: readonly Mutation[] = [
  ...web(`${ORDERS}/orders-screen.tsx`, PHONE_SIZES, [
    'className="flex min-h-16 w-full items-center gap-x-3 py-2.5 text-start active:bg-raised"',
    'className="flex min-h-16 w-full flex-wrap items-center gap-x-3 py-2.5 text-start active:bg-raised *:min-w-fit"',
    'The arrow of a row in the history wraps to a line of its own.',
  ]),
  ...shared('ui/src/feedback/toast-list.tsx', TICKET, [
    'style={offsetPx === null ? undefined : { bottom: offsetPx + GAP_PX }}',
    "style={{ top: '8rem' }}",
    'A message covers the chart.',
  ]),
  ...shared('ui/src/feedback/toast-list.tsx', 'app/shell.test.tsx', [
    'for (const id of temporary) if (id !== text) manager.close(id)',
    '',
    'A message comes back once the one that replaced it is closed.',
  ]),
  ...shared('ui/src/feedback/toast-list.tsx', 'app/shell.test.tsx', [
    'isWide && !avoidsObstaclesOnDesktop ? noOffset : toastOffsetPx',
    'noOffset',
    'A message covers the tab bar.',
  ]),
  ...web(`${TRADING}/ticket/use-ticket.ts`, TICKET, [
    ': { text: message, to },',
    ': { text: message },',
    'The message about a placed order leads nowhere.',
  ]),
  ...web(`${ORDERS}/close-position.tsx`, ORDER_SHEET, [
    "figures.money(shareOf(current.profit, lots, order.lots), { sign: 'always' })",
    "figures.exactText(shareOf(current.profit, lots, order.lots), { sign: 'always' })",
    'The button that closes a position has six decimals.',
  ]),
  ...web('features/funds/record-list.tsx', FUNDS, [
    "const text = figures.cost(withdrawnAmount(line), { sign: 'always' })",
    "const text = figures.exactText(withdrawnAmount(line), { sign: 'always' })",
    'The line of a withdrawal has six decimals.',
  ]),
  ...web('features/funds/record-list.tsx', FUNDS, [
    "const text = figures.cost(amount, { sign: 'always' })",
    "const text = figures.exactText(amount, { sign: 'always' })",
    'Transactions have six decimals.',
  ]),
  ...web(`${TRADING}/trade-lines.ts`, `${TRADING}/trade-screen.test.tsx`, [
    "profit === null ? '' : figures.money(profit, { sign: 'always' })",
    "profit === null ? '' : figures.exactText(profit, { sign: 'always' })",
    'The labels of the chart have six decimals.',
  ]),
  ...web(`${ORDERS}/receipt.tsx`, `${ORDERS}/receipt.test.tsx`, [
    "[tick, ...receipt.conversion].some((one) => one?.admitted === 'yes')",
    'receipt.conversion.length < 0',
    'A receipt on the screen does not say that operators admitted its reference.',
  ]),
  ...web(`${TRADING}/account/account-figures.tsx`, `${ORDERS}/orders-screen.test.tsx`, [
    "const { main, rest } = figures.exact(units, { sign: 'always' })",
    "const [main, rest] = [figures.money(units, { sign: 'always' }), '']",
    'The profit of an order is rounded to the cent.',
  ]),
  ...web('i18n/locale-provider.tsx', FUNDS, [
    'moments: momentFormat(regionalTag(tag, browserLanguages()))',
    'moments: momentFormat(tag)',
    'British users see American dates.',
  ]),
  ...web(
    'live/connection/connection-state.ts',
    'live/connection/connection-state.test.ts',
    [
      'const GRACE_MS = 1500',
      'const GRACE_MS = 4000',
      'A lost connection is shown after more than three seconds.',
    ],
    [
      'grace ??= setTimeout(',
      'clearTimeout(grace)\n    grace = setTimeout(',
      'Each failed attempt to connect again delays the notice of the lost connection.',
    ],
  ),
  ...web('live/connection/hub.ts', 'live/connection/connection-state.test.ts', [
    '  answerMs: 1_500,\n',
    '  answerMs: 5_000,\n',
    'A connection that fell silent is shown as open for more than three seconds.',
  ]),
  ...web('app/shell.tsx', 'features/market/home-screen.test.tsx', [
    '      <OfflineBanner />\n',
    '',
    'Nothing shows that the connection is lost.',
  ]),
  ...web(
    'app/shell.tsx',
    'app/keyboard.test.tsx',
    [
      "      {hasTicket && <SkipLink label={t('skipToTicket')} onSkip={focusTicket} />}\n",
      '',
      'No link skips to Sell and Buy.',
    ],
    [
      "  useHotkey(\n    '?',\n    useCallback(() => setIsOpen(true), []),\n  )\n",
      '',
      'A question mark does not list the keyboard shortcuts.',
    ],
    [
      "  useHotkey(isOpen ? null : 't', onTicket)\n",
      '',
      'The key t does not move the focus to Sell and Buy.',
    ],
  ),
  ...web(
    'features/market/instrument-list.tsx',
    'app/keyboard.test.tsx',
    [
      '                isTabStop={instrument.id === tabStop}\n',
      '                isTabStop\n',
      'Each row of the instruments is a tab stop.',
    ],
    ['      tabIndex={-1}\n', '', 'The star of each row is a tab stop.'],
  ),
  ...shared('ui/src/hooks/use-hotkey.ts', 'app/keyboard.test.tsx', [
    '|| isTyping(event.target)',
    '',
    'A question mark in a text field opens the keyboard shortcuts.',
  ]),
]

export const SCREEN_MUTATIONS: readonly Mutation[] = [...PHONE, ...STOPS, ...DESK, ...MONEY, ...DETAILS]
