-- Events of KYC vendors that were acted upon: the same one again changes nothing.
create table dashboard.kyc_webhook_event (
  provider text not null,
  event_id text not null,
  taken_at timestamptz not null,
  primary key (provider, event_id)
);

-- The newest answer is the one to the newest question, whenever it came.
drop index dashboard.screening_newest;
create index screening_newest on dashboard.screening (subject, kind, provider, chain, screened_at desc, seq desc);
