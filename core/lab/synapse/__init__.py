"""A stand-in for the Synapse service, for its own Python client: the lab's server `synapse`.

Two processes: `service` answers JSON under `/repo/v1`, `/auth/v1` and `/file/v1` and keeps entities
in memory; `storage` takes and gives bytes at presigned URLs, as S3 does for the real service, and
keeps them as files.  They share a folder and the key of the signatures.  With `store` = `s3` there
is no process `storage`: the bytes go to the lab's S3, at presigned URLs of its own.  Where the real
service is known to answer so, this one does: names, statuses and reasons are those of its public
sources, and a finished upload of the same file by the same request is not uploaded again.

A client is pointed at it so (the address of the server is `synapse://127.0.0.1:PORT`):

    base = f"http://127.0.0.1:{PORT}"
    client = synapseclient.Synapse(
        repoEndpoint=f"{base}/repo/v1",
        authEndpoint=f"{base}/auth/v1",
        fileHandleEndpoint=f"{base}/file/v1",
        portalEndpoint=base,
        configPath=FOLDER / "none",  # else ~/.synapseConfig is read
        cache_root_dir=FOLDER / "cache",  # else ~/.synapseCache; what lies there is not fetched
        cache_client=False,
        skip_checks=True,
        silent=True,
    )
    client.login(authToken=TOKEN, silent=True)  # the secret `lab:synapse/token`

`synapseutils` and `synapseclient.models` take it as `synapse_client=client`.

Both processes give their counts and CPU time at `GET /lab/stats`, and take orders for faults at
`POST /lab/faults` (`core.lab.synapse.serving`), with the same token.
"""
