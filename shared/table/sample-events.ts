/** Must never change, because stored texts can only be read with the dictionary. */
export const compressionDictionary =
  '{"id":"evt_01","type":"prize_won","timestamp":"20","sequence":1,"data":{"outcome_id":"out_01","user_id":"usr_01",' +
  '"external_reference":"","result_effective_date":"20","prize":{"cash_won","cash_usd":5,"prize_money_transfer":1,' +
  '"entry_truck":1,"entry_flight":1}}}{"id":"evt_01","type":"outcome","timestamp":"20","sequence":1,"data":{' +
  '"id":"out_01","user_id":"usr_01","external_reference":"","play_type":"amoe","game":"truck","game":"flight",' +
  '"play_type":"regular","game":"prizewheel","prize":{"tickets":5},"timestamp":"2026-11-24T05:00:00.000Z",' +
  '"game_status":"Ticket-only","result_effective_date":"2026-11-24T05:00:00.000Z"}}{"id":"evt_01",' +
  '"type":"balance_updated","timestamp":"2026-11-24T","sequence":1,"data":{"user_id":"usr_01",' +
  '"external_reference":"","balance_type":"tickets","amount":-1,"new_balance":1,"transaction_id":"txn_01",' +
  '"idempotency_key":"","outcome_id":"out_01","description":"Played the prize wheel';
