/** Texts of other parts, as they are in English: rules of the doctor, settings of rails, reasons and messages. */
export const KNOWN_FR: Readonly<Record<string, string>> = {
  // Rules of the doctor
  'every COMPLETED, FAILED or CANCELLED transaction knows when it ended, and no other has ended':
    'toute transaction COMPLETED, FAILED ou CANCELLED a une heure de fin, et aucune autre',
  'every PENDING callback has a job that delivers it': 'toute notification PENDING a une tâche qui l’envoie',
  'every PENDING or PROCESSING transaction has a job that ends it':
    'toute transaction PENDING ou PROCESSING a une tâche qui la termine',
  "every account's balance equals the replay of its entries": 'le solde de chaque compte est la somme de ses écritures',
  'every completed collection is booked once with its amounts, every other one not at all':
    'tout encaissement réussi est comptabilisé une fois avec ses montants, les autres pas du tout',
  'every completed payout or refund has left its wallet once, every failed one has its money back, one on its way is held':
    'tout versement ou remboursement réussi a quitté son portefeuille une fois, tout échec a été rendu, ce qui est en route est bloqué',
  'every connected operator answers, or recovers within 5 minutes; malipo rail check shows what is wrong':
    'tout opérateur raccordé répond, ou revient en 5 minutes ; malipo rail check montre ce qui ne va pas',
  'every credit that is uncleared or in reserve has work that releases it, or was released once with the same amount':
    'tout crédit en attente ou en réserve a une tâche qui le libère, ou a été libéré une fois du même montant',
  'every entry is on an account that its transfer may touch, and only staff and statements move money without a transaction: in a deposit, between two wallets of one merchant, or at a rail account':
    'toute écriture porte sur un compte que son transfert peut toucher, et seuls le personnel et les relevés déplacent de l’argent sans transaction : dépôt, deux portefeuilles d’un marchand, ou compte chez un opérateur',
  'every exception of a reconciliation is ended within 24 hours, by a later statement or by malipo reconcile end':
    'tout écart d’un rapprochement est clos en 24 heures, par un relevé ultérieur ou par malipo reconcile end',
  'every final transaction has one callback with its final status, a late completion also that of its former failure, and no other has any':
    'toute transaction finale a une notification de son état final, une réussite tardive aussi celle de son échec, et aucune autre n’en a',
  'every job has its transaction, callback, operator message or batch':
    'toute tâche a sa transaction, sa notification, son message d’opérateur ou son lot',
  "every open transaction's job fits its state: a payout is verified and held before its money is, and goes to the rail after":
    'la tâche de toute transaction ouverte convient à son état : un versement est vérifié et bloqué avant de partir chez l’opérateur',
  "every operator's own balance is what the ledger and the orders on their way explain, within an hour":
    'le solde de chaque opérateur s’explique par le grand livre et les ordres en route, dans l’heure',
  "every order that must not be sent twice has an answer within 10 minutes; a result, a line of the operator's statement or malipo transaction resolve ends those without one":
    'tout ordre à ne pas envoyer deux fois a une réponse en 10 minutes ; un résultat, une ligne de relevé ou malipo transaction resolve termine les autres',
  "every payment without an order that an operator's message tells of is confirmed within 24 hours, by the operator or by a statement; until then nothing is booked; malipo reconcile claims lists them":
    'tout paiement sans ordre qu’un message d’opérateur annonce est confirmé en 24 heures, par l’opérateur ou un relevé ; d’ici là rien n’est comptabilisé ; malipo reconcile claims les énumère',
  'every payout that its rail has paid is booked': 'tout versement payé par l’opérateur est comptabilisé',
  'every table of the history has the partitions of all months that are not archived, and no other':
    'chaque table de l’historique a les partitions des mois non archivés, et aucune autre',
  'every transaction holds its merchant reference, every reference its transaction':
    'toute transaction a sa référence du marchand, toute référence sa transaction',
  'every transaction of the last 24 hours that did not fail counts toward its daily limit with its amount, and none that failed does':
    'toute transaction des dernières 24 heures qui n’a pas échoué compte dans sa limite du jour, et aucun échec',
  "every transaction that was resolved by hand has a person's entry":
    'toute transaction décidée à la main a l’entrée d’une personne',
  "every transfer has a cause that fits it: a payment in the right state, a person's entry, a statement, or a month that went into files":
    'tout transfert a une cause qui convient : un paiement dans le bon état, l’entrée d’une personne, un relevé ou un mois archivé',
  'every transfer has entries and its transaction, every entry a transfer and an account':
    'tout transfert a des écritures et sa transaction, toute écriture un transfert et un compte',
  'every transfer sums to zero, in one currency': 'tout transfert s’annule, dans une seule devise',
  'every trigger and constraint of the ledger is there, switched on and what the migrations have made, and nothing else stands before its tables':
    'tous les déclencheurs et contraintes du grand livre sont là, actifs et tels que créés, et rien d’autre devant ses tables',
  'no job and no report of a rail is quarantined': 'aucune tâche ni aucun rapport d’opérateur n’est en quarantaine',
  'no job has been tried more than 100 times, or 1500 times where it waits for a rail or a merchant':
    'aucune tâche n’a été essayée plus de 100 fois, ou 1500 fois si elle attend un opérateur ou un marchand',
  'no job is due in more than 2 days (release of credit, expected payments: a year), and none waits for more than a day':
    'aucune tâche n’est prévue dans plus de 2 jours (libération de crédit, paiements attendus : un an), ni n’attend plus d’un jour',
  'no job whose lease has ended waits longer than 2 minutes':
    'aucune tâche dont le bail a expiré n’attend plus de 2 minutes',
  'no open order has a result code that no table explains; malipo transaction show has it, the operator says what it means, and malipo transaction resolve ends the order if a poll does not':
    'aucun ordre ouvert n’a un code inexpliqué ; malipo transaction show le montre, l’opérateur dit son sens, et malipo transaction resolve termine l’ordre',
  'no payout or refund that a rule covers, or that waited for an approver, went on without an approval':
    'aucun versement ou remboursement soumis à une règle n’est parti sans approbation',
  'no request was approved by whoever made it, or after it had expired':
    'aucune demande n’a été approuvée par son auteur, ni après son expiration',
  'no transaction is PENDING or PROCESSING for more than 7 days':
    'aucune transaction n’est PENDING ou PROCESSING depuis plus de 7 jours',
  'no wallet is below zero': 'aucun portefeuille n’est négatif',
  'no customer has paid a collection twice: what a further attempt has paid is on suspense until it is given back':
    'aucun client n’a payé un encaissement deux fois : ce qu’un autre essai a payé reste en attente jusqu’au remboursement',
  'the balance of every suspense account equals the amounts of its exceptions that were not moved on, and what customers have paid again':
    'le solde de chaque compte d’attente est la somme de ses écarts non transférés et de ce que des clients ont payé deux fois',
  'the balances of all accounts sum to zero in every currency':
    'les soldes de tous les comptes s’annulent dans chaque devise',
  'the database knows its mode, and only a sandbox has the demo merchant and simulated payments; a live one has no trial rail account of a rail, and no other one for production':
    'la base connaît son mode ; seul un bac à sable a le marchand de démonstration et des paiements simulés, et seule la production des comptes de production',
  'the partitions of this month and of the next one are there; malipo months makes them, and so does a server that logs in as the owner':
    'les partitions de ce mois et du suivant sont là ; malipo months les crée, ou un serveur connecté comme propriétaire',
  'the role of DATABASE_URL may only read and append to the ledger; malipo migrate takes what it or everybody was granted beside that':
    'le rôle de DATABASE_URL ne peut que lire et compléter le grand livre ; malipo migrate retire tout autre droit',
  // Settings of rails
  'the country of the application: UG, KE, TZ, RW, ZM, MW, CG': 'le pays de l’application : UG, KE, TZ, RW, ZM, MW, CG',
  "the client id of the application in the operator's portal":
    'le client id de l’application sur le portail de l’opérateur',
  'the client secret of that application': 'le client secret de cette application',
  'which calls the country wants signed: none, or some of collections, payouts, refunds, with commas between':
    'les appels que le pays veut signés : none, ou certains de collections, payouts, refunds, séparés par des virgules',
  'the PIN of the wallet that pays out; without it nothing is paid':
    'le PIN du portefeuille qui verse ; sans lui rien n’est versé',
  "the key that the PIN is encrypted with, in PEM or base64; without it, that of the operator's own call":
    'la clé qui chiffre le PIN, en PEM ou base64 ; sans elle, celle de l’appel de l’opérateur',
  'how the PIN is padded: `pkcs1`, or `oaep` (with SHA-256); the wrong one is answered by ROUTER116':
    'le remplissage du PIN : `pkcs1`, ou `oaep` (avec SHA-256) ; le mauvais reçoit ROUTER116',
  'the version of the call that pays out: `1`, `2` or `3`; the third is signed':
    'la version de l’appel qui verse : `1`, `2` ou `3` ; la troisième est signée',
  'the private key of the application, where its callbacks are authenticated: a hash that does not fit is counted. It proves who sent one, and never that money moved':
    'la clé privée de l’application, si ses notifications sont authentifiées : une empreinte fausse est comptée. Elle prouve qui envoie, jamais que l’argent est passé',
  'what customers and recipients may read beside the amount, without its spaces; `{merchant}` stands for the name of the merchant, `{reference}` for its reference. `id` where it has to be our id, as in Congo':
    'ce que clients et bénéficiaires peuvent lire près du montant, sans ses espaces ; `{merchant}` est le nom du marchand, `{reference}` sa référence. `id` où ce doit être notre identifiant, comme au Congo',
  'how amounts are written: `number`, as documented, or `text`':
    'l’écriture des montants : `number`, comme documenté, ou `text`',
  'how a number is written in a question about its holder: `national` or `international`':
    'l’écriture d’un numéro dans une question sur son titulaire : `national` ou `international`',
  'the call for balances: `1`, or `2` for one of each wallet':
    'l’appel des soldes : `1`, ou `2` pour un solde par portefeuille',
  'whether the list of transactions is enabled and serves as a statement of collections: `yes` or `no`':
    'si la liste des transactions est activée et sert de relevé des encaissements : `yes` ou `no`',
  'how many seconds to wait before the first question about a collection without a result, the second and so on, with commas between; the last holds for all that follow':
    'secondes d’attente avant la première question sur un encaissement sans résultat, la deuxième etc., séparées par des virgules ; la dernière vaut pour toutes les suivantes',
  'the same for payouts': 'la même chose pour les versements',
  'how many seconds old an order must be before "not found" means that the operator never got it':
    'âge en secondes à partir duquel « not found » signifie que l’opérateur n’a jamais reçu l’ordre',
  "Safaricom's certificate for that password, in PEM: the sandbox and production have one each":
    'le certificat de Safaricom pour ce mot de passe, en PEM : un pour le bac à sable, un pour la production',
  'a word or two that the customer may read beside the amount; `{merchant}` stands for the name of the merchant':
    'un mot ou deux que le client peut lire à côté du montant ; `{merchant}` est le nom du marchand',
  'after how many calls without an answer, one after the other, the operator counts as down':
    'après combien d’appels de suite sans réponse l’opérateur compte comme en panne',
  "below which float the operator's account needs a top-up, in major units: people and alerts are told; for operators that report their balance":
    'sous quelle provision le compte chez l’opérateur doit être rechargé, en unités : une alerte le dit ; pour les opérateurs qui donnent leur solde',
  "by how much the operator's balance may differ from our ledger, in major units, for example for fees that its statement shows once a day":
    'de combien le solde de l’opérateur peut différer du grand livre, en unités, par exemple pour des frais montrés une fois par jour',
  'how long a call may take in all, in milliseconds': 'durée maximale d’un appel, en millisecondes',
  'how long an operator that is down is left alone before one call tries again, in milliseconds':
    'combien de temps un opérateur en panne est laissé avant un nouvel essai, en millisecondes',
  'how long one pull of transactions serves all searches for lost orders':
    'combien de temps une liste de transactions sert aux recherches d’ordres perdus',
  'how many calls a second the operator allows, all kinds together':
    'combien d’appels par seconde l’opérateur permet, tous ensemble',
  'how many calls may be under way at the same time': 'combien d’appels peuvent être en cours à la fois',
  'how many minutes a payout waits while the operator has no float for it or does not answer, before it fails; `0`: it is sent at once, and the operator decides':
    'combien de minutes un versement attend une provision ou l’opérateur avant d’échouer ; `0` : envoyé aussitôt, l’opérateur décide',
  'how many of these may be status queries; where it is more than `requests_per_second`, that one holds':
    'combien d’entre eux peuvent être des demandes d’état ; au plus `requests_per_second`',
  'how many seconds old an order must be before "not found" means that MTN never got it':
    'âge en secondes à partir duquel « not found » signifie que MTN n’a jamais reçu l’ordre',
  'how many seconds to wait before the first question about an order without a result, the second and so on, with commas between; the last holds for all that follow':
    'secondes d’attente avant la première question sur un ordre sans résultat, la deuxième, etc., séparées par des virgules ; la dernière vaut pour la suite',
  'how much later than its report the operator may book a movement, in hours':
    'combien d’heures après son rapport l’opérateur peut comptabiliser un mouvement',
  'how the characters of a CSV file are written: `utf-8`, `utf-16le` or `windows-1252`; a byte order mark comes before it':
    'encodage d’un fichier CSV : `utf-8`, `utf-16le` ou `windows-1252` ; une marque d’ordre des octets l’emporte',
  'how the operator reaches this gateway, when it is not by `PUBLIC_BASE_URL`':
    'comment l’opérateur atteint cette passerelle, si ce n’est pas par `PUBLIC_BASE_URL`',
  'in which order a day is written: `ymd`, `dmy` or `mdy`; a day with the year first or the name of its month is read in any case':
    'ordre d’une date : `ymd`, `dmy` ou `mdy` ; une date qui commence par l’année ou nomme son mois est toujours lue',
  'of times that do not name theirs, for example `Africa/Kampala`':
    'fuseau des heures qui ne disent pas le leur, par exemple `Africa/Kampala`',
  'the API key of that user': 'la clé API de cet utilisateur',
  'the API operator of the number that pays out; without one nothing is paid':
    'l’opérateur API du numéro qui verse ; sans lui rien n’est payé',
  'the API user of Collections, a UUID': 'l’utilisateur API de Collections, un UUID',
  'the API user of Disbursements, a UUID': 'l’utilisateur API de Disbursements, un UUID',
  'the bank account whose statements these are, as an IBAN or account number; statements of others in a file are skipped':
    'le compte bancaire de ces relevés, IBAN ou numéro ; ceux d’autres comptes sont ignorés',
  'the call that pays out, by the contract with MTN: `transfer` or `deposit`':
    'l’appel qui verse, selon le contrat avec MTN : `transfer` ou `deposit`',
  "the consumer key of the app in Safaricom's portal": 'la consumer key de l’application au portail de Safaricom',
  'the consumer secret of that app': 'le consumer secret de cette application',
  'the number that pays out, where it is not the short code': 'le numéro qui verse, si ce n’est pas le code court',
  'the passkey of Lipa na M-PESA online; without it nothing is collected':
    'la passkey de Lipa na M-PESA online ; sans elle rien n’est encaissé',
  'the password of that API operator': 'le mot de passe de cet opérateur API',
  'the pay bill number, or the head office number of a till, that collects':
    'le numéro pay bill, ou le numéro principal d’un till, qui encaisse',
  'the remark on a payout; `{merchant}` stands for the name of the merchant, `{reference}` for its reference':
    'la remarque d’un versement ; `{merchant}` est le nom du marchand, `{reference}` sa référence',
  'the result codes of a payout that mean for certain that nothing was paid, beside the documented ones; `none` for no others':
    'les codes d’un versement qui disent avec certitude que rien n’a été payé, outre ceux documentés ; `none` pour aucun',
  'the subscription key of the product Collections; without it nothing is collected':
    'la clé d’abonnement du produit Collections ; sans elle rien n’est encaissé',
  'the subscription key of the product Disbursements; without it nothing is paid out':
    'la clé d’abonnement du produit Disbursements ; sans elle rien n’est versé',
  'the till that receives, where it is not the short code': 'le till qui reçoit, si ce n’est pas le code court',
  "the titles of the columns in the operator's CSV file: `reference=…; at=…; amount=…` or `in=…; out=…` and, where they are there, `direction`, `ours`, `original` (what a refund gives back), `fee`, `currency`, `status`, `type`, `details`, `account`, `balance`":
    'les titres des colonnes du CSV de l’opérateur : `reference=…; at=…; amount=…` ou `in=…; out=…` et, s’il y en a, `direction`, `ours`, `original` (ce qu’un remboursement rend), `fee`, `currency`, `status`, `type`, `details`, `account`, `balance`',
  'the value of X-Target-Environment: `sandbox`, or that of the country, for example `mtnuganda`':
    'la valeur de X-Target-Environment : `sandbox`, ou celle du pays, par exemple `mtnuganda`',
  'what 500.001.1001 in answer to a prompt means: `unknown`, or `refused` where your own trials have shown that no prompt follows it':
    'le sens de 500.001.1001 en réponse à une demande : `unknown`, ou `refused` si vos essais ont montré qu’aucune demande ne suit',
  'what "spike arrest" or "quota violation" in answer to a prompt means: `unknown`, or `not_sent` where your own trials have shown that no prompt follows it; then it is sent again, eight times at most':
    'le sens de « spike arrest » ou « quota violation » : `unknown`, ou `not_sent` si vos essais ont montré qu’aucune demande ne suit ; alors elle est renvoyée, huit fois au plus',
  'what customers and recipients may read beside the amount; `{merchant}` stands for the name of the merchant, `{reference}` for its reference':
    'ce que clients et bénéficiaires peuvent lire à côté du montant ; `{merchant}` est le nom du marchand, `{reference}` sa référence',
  'what customers pay to: `paybill`, or `buygoods` for a till':
    'ce que les clients paient : `paybill`, ou `buygoods` pour un till',
  'what is between the columns: `comma`, `semicolon`, `tab`, `bar`, or `auto` to find out':
    'ce qui sépare les colonnes : `comma`, `semicolon`, `tab`, `bar`, ou `auto`',
  'what stands before the decimals: `point` (1,234.50) or `comma` (1.234,50)':
    'ce qui précède les décimales : `point` (1,234.50) ou `comma` (1.234,50)',
  'what the column `direction` has for money that came and money that went':
    'ce que contient la colonne `direction` pour l’argent reçu et l’argent parti',
  'what the column `status` has where money has moved, with commas between; without it every line counts':
    'ce que contient la colonne `status` si l’argent a bougé, séparé par des virgules ; sans elle chaque ligne compte',
  'what the operator should take when money comes: an amount (`0`, `25`), a share (`1.5%`), both (`1%+10`), steps by amount with commas between (`100:0,1500:13,1%`), or `any`':
    'ce que l’opérateur doit prendre à la réception : un montant (`0`, `25`), une part (`1.5%`), les deux (`1%+10`), des paliers (`100:0,1500:13,1%`), ou `any`',
  'what the operator should take when money goes: an amount (`0`, `25`), a share (`1.5%`), both (`1%+10`), steps by amount with commas between (`100:0,1500:13,1%`), or `any`':
    'ce que l’opérateur doit prendre au départ : un montant (`0`, `25`), une part (`1.5%`), les deux (`1%+10`), des paliers (`100:0,1500:13,1%`), ou `any`',
  "what this operator's failure codes mean, where they differ from the usual: `CODE=insufficient_funds, …`. They name a failure and never make one":
    'le sens des codes d’échec de cet opérateur, s’ils diffèrent : `CODE=insufficient_funds, …`. Ils nomment un échec et n’en créent jamais',
  'when a payout without a result is polled first; each further wait is twice as long, up to an hour':
    'quand un versement sans résultat est d’abord demandé ; chaque attente double, jusqu’à une heure',
  'when a prompt without a result is polled first; each further wait is twice as long, up to ten minutes':
    'quand une demande sans résultat est d’abord suivie ; chaque attente double, jusqu’à dix minutes',
  'whether MTN gives a part of a collection back, and several times: `yes` or `no`':
    'si MTN rend une partie d’un encaissement, et plusieurs fois : `yes` ou `no`',
  'whether `payment-providers` shows `is_active` false while the operator is down: `yes` or `no`':
    'si `payment-providers` montre `is_active` false quand l’opérateur est en panne : `yes` ou `no`',
  'whether a reversal without an answer may go out again: `never`, or `safe` where your own trials have shown that the second one moves nothing':
    'si une annulation sans réponse peut repartir : `never`, ou `safe` si vos essais ont montré que la seconde ne déplace rien',
  'whether amounts of camt.053 have their charges in them (`included`) or these are taken beside them (`on_top`), where the file does not say; when unset, such an entry is an exception':
    'si les montants camt.053 contiennent leurs frais (`included`) ou s’ils s’y ajoutent (`on_top`), quand le fichier ne le dit pas ; sinon une telle ligne est un écart',
  'whether the operator is reached at an address of a private network, through a VPN or a leased line: `yes` or `no`':
    'si l’opérateur est joint à une adresse privée, par VPN ou ligne louée : `yes` ou `no`',
  'whether what the short code receives may be listed (pull transactions): `yes` or `no`':
    'si ce que le code court reçoit peut être listé (pull transactions) : `yes` ou `no`',
  'the telephone of a person who answers for the short code, 254 and nine digits: with it, `malipo rail check` registers the short code for pull transactions':
    'le téléphone d’une personne responsable du code court, 254 et neuf chiffres : avec lui, `malipo rail check` inscrit le code court aux pull transactions',
  'whom it pays: `phones`, or `banks` by their pay bill numbers (B2B), for a provider of banks with a rail account of its own':
    'qui il paie : `phones`, ou `banks` par leurs numéros pay bill (B2B), pour un fournisseur de banques avec son propre compte',
  "the pay bill number of each bank that payouts go to: `BANK_CODE=247247, …`, by the provider's bank codes; with `payouts_to` banks only":
    'le numéro pay bill de chaque banque qui reçoit des versements : `BANK_CODE=247247, …`, par les codes de banque du fournisseur ; seulement avec `payouts_to` banks',
  'words, with commas between, that make a line the fee of another: its column `type` has one of them, or its `details` begin with one and name nobody (`to JUMA`); what is in the column `in` never is a fee':
    'mots, séparés par des virgules, qui font d’une ligne les frais d’une autre : dans sa colonne `type`, ou au début de `details` sans nommer personne (`to JUMA`) ; ce qui est dans `in` n’est jamais des frais',
  'whether customers may pay the short code without a prompt: with `yes`, `malipo rail check` registers where M-PESA asks and reports; each such payment is booked once `pull` or a statement confirms it':
    'si les clients peuvent payer le code court sans demande : avec `yes`, `malipo rail check` inscrit où M-PESA demande et rapporte ; chaque paiement est comptabilisé quand `pull` ou un relevé le confirme',
  // Reasons of bad signatures
  'The body has no event, references, type and status to put the signed text together from':
    'Le corps n’a pas l’événement, les références, le type et l’état dont se compose le texte signé',
  'There is no merchant whose key could be tried': 'Il n’y a pas de marchand dont essayer la clé',
  'It does not have the form t=<epoch ms>,s=<64 hexadecimal digits>':
    'Elle n’a pas la forme t=<epoch ms>,s=<64 chiffres hexadécimaux>',
  'It is not the HMAC of the signed text with the signing key: key, references, type or status differ':
    'Ce n’est pas le HMAC du texte signé avec la clé de signature : clé, références, type ou état diffèrent',
  'rsa-key-id is not 16 hexadecimal digits': 'rsa-key-id n’a pas 16 chiffres hexadécimaux',
  'This gateway has no RSA key of that rsa-key-id': 'Cette passerelle n’a pas de clé RSA de ce rsa-key-id',
  'The RSA key of that rsa-key-id was withdrawn: nothing that it signed is to be trusted':
    'La clé RSA de ce rsa-key-id a été retirée : rien de ce qu’elle a signé n’est fiable',
  'It is not base64': 'Ce n’est pas du base64',
  'It was not made with the private key that rsa-key-id names, or it was damaged on the way':
    'Elle n’a pas été faite avec la clé privée que nomme rsa-key-id, ou a été abîmée en route',
  'webhook-timestamp is not a number of seconds': 'webhook-timestamp n’est pas un nombre de secondes',
  'webhook-signature has no signature of version v1': 'webhook-signature n’a pas de signature de version v1',
  'It does not fit webhook-id, webhook-timestamp and the bytes of the body: secret or message differ':
    'Elle ne convient pas à webhook-id, webhook-timestamp et aux octets du corps : secret ou message diffèrent',
  // Messages of payments
  'Transaction Pending': 'Transaction en attente',
  'Waiting for the one-time password': 'Attend le mot de passe à usage unique',
  'Waiting: the merchant account is suspended': 'Attend : le compte du marchand est suspendu',
  'Waiting: the operator has not named the payment that is given back yet':
    'Attend : l’opérateur n’a pas encore nommé le paiement à rendre',
  'Waiting: the operator has no float for this payout': 'Attend : l’opérateur n’a pas de provision pour ce versement',
  'Waiting: the operator does not answer': 'Attend : l’opérateur ne répond pas',
  'Waiting for the customer to pay': 'Attend que le client paie',
  "Waiting for the customer's approval": 'Attend l’accord du client',
  "Waiting for the merchant's approver": 'Attend l’approbateur du marchand',
  'Transaction Processing': 'Transaction en cours',
  'Transaction Completed Successfully': 'Transaction réussie',
  'Insufficient balance on the customer account': 'Solde insuffisant sur le compte du client',
  'The customer declined the request': 'Le client a refusé la demande',
  'The request timed out without a transfer': 'La demande a expiré sans transfert',
  'Insufficient balance for the transaction': 'Solde insuffisant pour la transaction',
  'Payout cancelled by the merchant': 'Versement annulé par le marchand',
}

/** The same for texts with values in them. */
export const KNOWN_PATTERNS_FR: readonly (readonly [RegExp, string])[] = [
  [/^The header ([\w-]+) is missing$/, 'L’en-tête $1 manque'],
  [
    /^It was made by this gateway, but for another text: .*: (\w+)$/,
    'Elle a été faite par cette passerelle, mais pour un autre texte : références, type ou état diffèrent. SHA-256 de ce qu’elle signe : $1',
  ],
  [
    /^The signature fits, but webhook-timestamp lies (\d+) seconds in the past; .*$/,
    'La signature convient, mais webhook-timestamp date de $1 secondes : peut-être une répétition',
  ],
  [
    /^The signature fits, but webhook-timestamp lies (\d+) seconds in the future; .*$/,
    'La signature convient, mais webhook-timestamp est $1 secondes dans le futur : peut-être une répétition',
  ],
]
