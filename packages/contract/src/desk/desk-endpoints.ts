import type { DeskEndpoint } from './desk-endpoint.ts'
import * as acts from './acts.ts'
import * as categories from './categories.ts'
import * as companies from './companies.ts'
import * as content from './content.ts'
import * as legal from './legal.ts'
import * as newsFeeds from './news-feeds.ts'
import * as messages from './messages.ts'
import * as files from './files.ts'
import * as identity from './identity.ts'
import * as operators from './operators.ts'
import * as payments from './payment-setup.ts'
import * as moneyCases from './money-cases.ts'
import * as support from './support.ts'
import * as settings from './settings.ts'
import * as waiting from './waiting.ts'
import * as people from './people.ts'
import * as feeds from './feeds.ts'
import * as market from './market.ts'
import * as termsChanges from './terms-changes.ts'
import * as reports from './reports.ts'
import * as risk from './risk.ts'

/** Every call of the desk, for its routes, its API page and the test of roles. */
export const DESK_ENDPOINTS: readonly DeskEndpoint[] = [
  operators.logInToDesk,
  operators.joinDesk,
  operators.logOutOfDesk,
  operators.getDeskSelf,
  operators.prepareDeskFactor,
  operators.confirmDeskFactor,
  operators.changeDeskPassword,
  operators.listOperators,
  operators.inviteOperator,
  operators.renewInvitation,
  operators.resetOperator,
  operators.changeOperator,
  waiting.listWaiting,
  waiting.getWaitingCase,
  waiting.takeCase,
  waiting.handOnCase,
  waiting.letCaseGo,
  waiting.decideAdjustment,
  waiting.decideApproval,
  waiting.withdrawApproval,
  waiting.askHalt,
  waiting.getHouseFigures,
  acts.listActs,
  acts.getAct,
  acts.getChainEnds,
  people.searchPeople,
  people.getPerson,
  people.listPersonOrders,
  people.listPersonMovements,
  people.getPersonEquity,
  people.getPersonStatement,
  people.listPersonLogIns,
  people.listPersonNotes,
  people.addPersonNote,
  people.setPersonStatus,
  people.logPersonOut,
  people.resetPersonSecondFactor,
  people.setCreditScore,
  people.askPersonAdjustment,
  people.closePersonOrder,
  content.listContent,
  content.getContent,
  content.saveContent,
  content.previewContent,
  content.publishContent,
  content.withdrawContent,
  content.listContentVersions,
  newsFeeds.listNewsFeeds,
  newsFeeds.saveNewsFeed,
  newsFeeds.askNewsFeed,
  legal.listLegalVersions,
  legal.getLegalVersion,
  legal.addLegalVersion,
  companies.listCompanies,
  companies.saveCompany,
  settings.listSettings,
  settings.changeSetting,
  settings.listSettingChanges,
  messages.listMessages,
  messages.getMessage,
  messages.resendMessage,
  payments.getPaymentSetup,
  payments.saveDepositChannel,
  payments.saveWireAccount,
  payments.switchOffReceiving,
  payments.saveWithdrawalCurrency,
  market.listDeskInstruments,
  market.listDeskSessions,
  market.getTradingTerms,
  market.haltTrading,
  market.resumeTrading,
  market.setTradingMode,
  categories.listDeskCategories,
  categories.saveCategory,
  categories.removeCategory,
  termsChanges.previewTerms,
  termsChanges.changeTerms,
  termsChanges.withdrawTerms,
  termsChanges.listTermsHistory,
  feeds.listFeeds,
  feeds.listHeldPrices,
  feeds.listRefusedPrices,
  feeds.admitPrice,

  risk.getExposure,
  risk.listNearAccounts,
  risk.foretellMove,
  risk.getHouseSummary,
  reports.getHouseResult,
  reports.getMoneyFlow,
  reports.getActiveTraders,
  reports.getFills,
  reports.getLosingShare,
  files.viewProof,
  files.uploadPublicPicture,
  support.listPersonChat,
  support.noteChatSeen,
  support.answerChat,
  support.uploadChatPicture,
  support.settleChat,
  support.viewChatPicture,
  moneyCases.finishDeposit,
  moneyCases.refuseDeposit,
  moneyCases.approveWithdrawal,
  moneyCases.payWithdrawal,
  moneyCases.refuseWithdrawal,
  moneyCases.getPayment,
  moneyCases.findReference,
  moneyCases.verifyPerson,
  identity.getIdentity,
  identity.revealIdentityNumber,
  identity.approveIdentity,
  identity.refuseIdentity,
]
