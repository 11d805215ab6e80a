-- migration: expand
-- locks: rsa_keys access exclusive
-- rewrites: none
-- reads: rsa_keys
-- A key that leaked is withdrawn: its public half is served no more, and its private half, which nothing of ours needs again, is destroyed.
alter table rsa_keys add column withdrawn_at timestamptz;
alter table rsa_keys alter column sealed_private_pem drop not null;
alter table rsa_keys add check ((withdrawn_at is null) = (sealed_private_pem is not null));
